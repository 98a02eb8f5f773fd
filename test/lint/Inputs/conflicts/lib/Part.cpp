// A marker that remained alone.
>>>>>>> 89abcde
int part;
<<<<<<<
