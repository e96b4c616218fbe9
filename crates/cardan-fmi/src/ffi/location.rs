//! How an FMU is told where its resources are.

use std::ffi::CString;
use std::path::Path;

/// FMI 2: an address of the form `file:///folder/resources`.
pub(super) fn uri(folder: &Path) -> CString {
    let mut uri = String::from("file://");
    let path = folder.to_string_lossy();
    let path = path.replace('\\', "/");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    text(uri.as_bytes())
}

/// FMI 3: a path that ends with a separator.
pub(super) fn path(folder: &Path) -> CString {
    let mut bytes = folder.as_os_str().as_encoded_bytes().to_vec();
    if !bytes.ends_with(std::path::MAIN_SEPARATOR_STR.as_bytes()) {
        bytes.extend_from_slice(std::path::MAIN_SEPARATOR_STR.as_bytes());
    }
    text(&bytes)
}

/// A text for C. A zero byte ends it early, for C could not see beyond it.
pub(super) fn text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn resources_are_told_as_each_version_wants() {
        let folder = Path::new("/tmp/a b/größe/resources");
        assert_eq!(
            uri(folder).to_str(),
            Ok("file:///tmp/a%20b/gr%C3%B6%C3%9Fe/resources")
        );
        assert_eq!(path(folder).to_str(), Ok("/tmp/a b/größe/resources/"));
        assert_eq!(text(b"ab\0c").to_bytes(), b"ab");
    }
}
