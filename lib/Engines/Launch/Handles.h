//===- Handles.h - handles of the C interface -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A handle is validated before use, so that a null or freed one is an error
// instead of a crash. Objects keep the objects that they were created from
// alive, so they may be freed in any order, even while in use.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_HANDLES_H
#define PARABLOCK_LIB_LAUNCH_HANDLES_H

#include "Session.h"
#include "parablock-launch/Launch.h"
#include <atomic>
#include <exception>
#include <mutex>

namespace parablock::launch {

/// The fields of pbl_tensor for a tensor, in memory that stays.
struct TensorView {
  std::vector<int64_t> shape;
  /// Texts of sizes that are known later.
  std::vector<std::string> texts;
  std::vector<const char *> dimNames;
};

/// A manifest and how the C interface shows it.
struct OpenPackage {
  Package package;
  std::vector<TensorView> views;

  uint32_t numTensors() const {
    return static_cast<uint32_t>(package.arguments.size() +
                                 package.results.size());
  }
  const PackagePort &port(uint32_t index) const {
    size_t numArguments = package.arguments.size();
    return index < numArguments ? package.arguments[index]
                                : package.results[index - numArguments];
  }
};

/// Reports to the caller; returns PBL_OK after success.
pbl_code report(const Status &status, pbl_error *error);

/// Reports a fault of the library to the caller, without allocating memory.
pbl_code reportInternal(const char *reason, pbl_error *error);

/// Runs `body`, the whole body of a function that can fail; an exception of the
/// C++ library becomes an error, and the result `failed`. The files of the C
/// interface are compiled with exceptions for it.
template <typename Result, typename Body>
Result contain(Result failed, pbl_error *error, const Body &body) {
  try {
    return body();
  } catch (const std::exception &exception) {
    reportInternal(exception.what(), error);
  } catch (...) {
    reportInternal("an unknown exception", error);
  }
  return failed;
}

/// Returns what pbl_session_facts does.
pbl_facts describeSession(const Session &session);

/// An error for an argument that must not be null.
Status checkGiven(const void *argument, const char *what);

/// An error for an address that kernels could not read as they do.
inline Status checkPointer(const std::string &name, cuda::Pointer pointer) {
  if (pointer % 16 == 0 && pointer)
    return {};
  return fail("'" + name +
              "': expected a device pointer that is a multiple of 16");
}

} // namespace parablock::launch

// `what` is the name in messages; members are destroyed from the last one
// on.
struct pbl_package {
  static constexpr char what[] = "a package";
  std::shared_ptr<parablock::launch::OpenPackage> open;
};
struct pbl_device {
  static constexpr char what[] = "a device";
  std::shared_ptr<parablock::launch::DeviceContext> context;
};
struct pbl_group {
  static constexpr char what[] = "a group";
  std::shared_ptr<parablock::launch::DeviceContext> context;
  std::shared_ptr<parablock::launch::RankGroup> group;
};
struct pbl_program {
  static constexpr char what[] = "a program";
  std::shared_ptr<parablock::launch::OpenPackage> open;
  std::shared_ptr<parablock::launch::DeviceContext> context;
  std::shared_ptr<parablock::launch::RankGroup> group;
  std::shared_ptr<parablock::launch::Program> program;
};
struct pbl_session {
  static constexpr char what[] = "a session";
  pbl_program owner;
  std::unique_ptr<parablock::launch::Session> session;
  /// Set while a call is under way.
  std::atomic_flag isBusy = ATOMIC_FLAG_INIT;
};

namespace parablock::launch {

/// All objects of one kind that were given out and not taken back.
template <typename T> class Handles {
public:
  static Handles &get() {
    // Never destroyed: programs may give handles back when they end.
    static auto *handles = new Handles;
    return *handles;
  }

  T *add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> lock(mutex);
    T *handle = object.get();
    objects[handle] = std::move(object);
    return handle;
  }
  std::shared_ptr<T> find(const T *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second;
  }
  /// Ignores invalid handles.
  void remove(const T *handle) {
    std::shared_ptr<T> removed;
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(handle);
    if (found == objects.end())
      return;
    // Destroyed after the lock is gone: that may take a while.
    removed = std::move(found->second);
    objects.erase(found);
  }

private:
  std::mutex mutex;
  std::map<const T *, std::shared_ptr<T>> objects;
};

/// The object of a handle, or why there is none.
template <typename T> Status find(const T *handle, std::shared_ptr<T> &object) {
  object = Handles<T>::get().find(handle);
  if (object)
    return {};
  return fail(std::string("expected ") + T::what + ", got " +
              (handle ? "one that was given back, or none" : "null"));
}

/// Calls `body` with the object of a handle, unless another thread uses it:
/// concurrent calls would give wrong numbers.
template <typename T, typename Body>
Status useAlone(const T *handle, const Body &body) {
  std::shared_ptr<T> own;
  if (Status failure = find(handle, own))
    return failure;
  if (own->isBusy.test_and_set(std::memory_order_acquire))
    return fail(std::string("expected ") + T::what +
                " that no other thread is using: each thread needs one of its "
                "own");
  struct Release {
    std::atomic_flag &isBusy;
    ~Release() { isBusy.clear(std::memory_order_release); }
  } release{own->isBusy};
  return body(*own);
}

/// Runs `work`, all of a function that returns a code, and reports its status.
template <typename Work> pbl_code run(pbl_error *error, const Work &work) {
  return contain(PBL_INTERNAL, error,
                 [&]() -> pbl_code { return report(work(), error); });
}

/// Returns the handle of an object that `fill` fills, or null after a failure.
template <typename T, typename Fill>
T *make(pbl_error *error, const Fill &fill) {
  return contain(static_cast<T *>(nullptr), error, [&]() -> T * {
    auto made = std::make_shared<T>();
    return report(fill(*made), error) == PBL_OK
               ? Handles<T>::get().add(std::move(made))
               : nullptr;
  });
}

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_HANDLES_H
