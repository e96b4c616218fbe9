//! What an FMU can reach of us: its logger, and the callback at its inner steps.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};

use super::intermediate::Hook;
use super::status::Status;

/// So many messages are kept to be quoted.
const KEPT: usize = 5;
/// So many bytes of a message are kept.
const LONGEST: usize = 2000;

/// One for each instance. The FMU knows it by a number only, so that a message that comes late, or with a number that
/// was never given, does no harm.
pub(super) struct Environment {
    key: usize,
    name: String,
    messages: Mutex<VecDeque<String>>,
    /// The log categories the user wants to hear of; not every FMU keeps to them by itself.
    pub(super) categories: OnceLock<Vec<String>>,
    /// In force while a step is on its way.
    pub(super) hook: Mutex<Option<Hook>>,
}

/// The environments of all living instances.
static LIVING: Mutex<Living> = Mutex::new(Living {
    last: 0,
    environments: BTreeMap::new(),
});

struct Living {
    last: usize,
    environments: BTreeMap<usize, Arc<Environment>>,
}

impl Environment {
    pub(super) fn new(name: &str) -> Arc<Self> {
        let mut living = lock(&LIVING);
        // Some FMUs take the null pointer for "no environment", so keys begin with one.
        living.last += 1;
        let key = living.last;
        let environment = Arc::new(Environment {
            key,
            name: name.to_string(),
            messages: Mutex::default(),
            categories: OnceLock::new(),
            hook: Mutex::default(),
        });
        living.environments.insert(key, Arc::clone(&environment));
        environment
    }

    /// No message finds it any more.
    pub(super) fn retire(&self) {
        lock(&LIVING).environments.remove(&self.key);
    }

    /// What the FMU gets as the address of its environment. It must not look there, and there is nothing.
    pub(super) fn address(&self) -> *mut c_void {
        std::ptr::without_provenance_mut(self.key)
    }

    pub(super) fn of(address: *mut c_void) -> Option<Arc<Self>> {
        lock(&LIVING).environments.get(&address.addr()).cloned()
    }

    /// What the FMU said last, to be quoted once.
    pub(super) fn take_messages(&self) -> Vec<String> {
        lock(&self.messages).drain(..).collect()
    }

    fn keep(&self, text: &str) {
        let mut messages = lock(&self.messages);
        // Some say it once for each function that notices.
        if messages.back().is_some_and(|last| last == text.trim()) {
            return;
        }
        if messages.len() == KEPT {
            messages.pop_front();
        }
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        messages.push_back(text[..end].trim().to_string());
    }
}

/// Another thread that panicked while it held the lock has left nothing half done here.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The logger of FMI 3, and where that of FMI 2 ends.
///
/// # Safety
/// The texts are null or end with a zero byte.
pub(super) unsafe extern "C" fn log(
    environment: *mut c_void,
    status: c_int,
    category: *const c_char,
    text: *const c_char,
) {
    let status = Status::from_raw(status);
    let quiet = matches!(status, Status::Ok | Status::Pending);
    if text.is_null() || (quiet && !tracing::enabled!(target: "fmu", tracing::Level::DEBUG)) {
        return;
    }
    // SAFETY: it is not null, and ends with a zero byte as the standard asks of the FMU.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let category = if category.is_null() {
        "".into()
    } else {
        // SAFETY: as above.
        unsafe { CStr::from_ptr(category) }.to_string_lossy()
    };
    let environment = Environment::of(environment);
    let instance = environment.as_ref().map_or("", |e| e.name.as_str());
    let wanted = environment.as_ref().and_then(|e| e.categories.get());
    if quiet && wanted.is_some_and(|list| !list.iter().any(|known| *known == category)) {
        return;
    }
    match status {
        Status::Ok | Status::Pending => tracing::debug!(target: "fmu", instance, %category, "{text}"),
        Status::Warning | Status::Discard => tracing::warn!(target: "fmu", instance, %category, "{text}"),
        Status::Error | Status::Fatal => tracing::error!(target: "fmu", instance, %category, "{text}"),
    }
    if let Some(environment) = environment
        && !quiet
    {
        environment.keep(&text);
    }
}

unsafe extern "C" {
    fn cardan_fmi2_logger_install(
        sink: unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char),
    );
    /// Formats and passes on to [`log`].
    pub(super) fn cardan_fmi2_logger(
        environment: *mut c_void,
        instance: *const c_char,
        status: c_int,
        category: *const c_char,
        format: *const c_char,
        ...
    );
    /// For FMI 2: memory with zeros in it.
    pub(super) fn calloc(count: usize, size: usize) -> *mut c_void;
    /// Gives it back.
    pub(super) fn free(memory: *mut c_void);
}

/// Ties the logger of FMI 2 to ours.
pub(super) fn install_fmi2_logger() {
    static INSTALLED: Once = Once::new();
    // SAFETY: it stores the address of a function that is always there, once, before the logger is known to anybody.
    INSTALLED.call_once(|| unsafe { cardan_fmi2_logger_install(log) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_find_their_instance_in_any_shape() {
        let (one, other) = (Environment::new("one"), Environment::new("other"));
        let say = |to: *mut c_void, status, text: Option<&CStr>| {
            let text = text.map_or(std::ptr::null(), CStr::as_ptr);
            // SAFETY: texts with a zero at the end, or null.
            unsafe { log(to, status, std::ptr::null(), text) };
        };
        say(one.address(), 3, Some(c"not good"));
        say(one.address(), 0, Some(c"all is well"));
        say(one.address(), 3, None);
        say(one.address(), 77, Some(c"\xff\xfe"));
        say(std::ptr::null_mut(), 3, Some(c"to nobody"));
        say(std::ptr::without_provenance_mut(usize::MAX), 3, Some(c"astray"));
        assert_eq!(one.take_messages(), ["not good", "\u{fffd}\u{fffd}"]);
        assert!(one.take_messages().is_empty() && other.take_messages().is_empty());
        other.retire();
        say(other.address(), 4, Some(c"too late"));
        assert!(other.take_messages().is_empty());
    }

    #[test]
    fn fmi2_messages_are_formatted_however_long() {
        install_fmi2_logger();
        let environment = Environment::new("one");
        let long = std::ffi::CString::new("x".repeat(5000)).unwrap();
        // SAFETY: the formats fit their arguments.
        unsafe {
            let null = std::ptr::null();
            let to = environment.address();
            cardan_fmi2_logger(to, null, 3, null, c"%s is %d".as_ptr(), c"u".as_ptr(), 7 as c_int);
            cardan_fmi2_logger(to, null, 3, null, c"%s".as_ptr(), long.as_ptr());
            cardan_fmi2_logger(to, null, 3, null, null);
        }
        let messages = environment.take_messages();
        assert_eq!(messages[0], "u is 7");
        assert_eq!(messages[1].len(), LONGEST);
        assert_eq!(messages.len(), 2);
    }
}
