// expected-error @below {{expected an even number of columns, got 3}}
