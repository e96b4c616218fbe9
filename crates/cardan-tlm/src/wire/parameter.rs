//! Asking for a parameter: `name:default`, answered by 100 bytes with the value of the meta-model.

use super::WireError;

/// Bytes of the answer.
pub const PARAMETER_REPLY_BYTES: usize = 100;

/// Name and default value out of a request.
pub fn parameter_request(bytes: &[u8]) -> Result<(&str, &str), WireError> {
    let text = std::str::from_utf8(bytes).map_err(|_| WireError::Text("the request of a parameter"))?;
    let text = text.trim_end_matches('\0');
    Ok(text.split_once(':').unwrap_or((text, "")))
}

/// The answer: the value, cut at 99 bytes, and zeros.
pub fn parameter_reply(value: &str) -> [u8; PARAMETER_REPLY_BYTES] {
    let mut bytes = [0; PARAMETER_REPLY_BYTES];
    let value = &value[..value.floor_char_boundary(PARAMETER_REPLY_BYTES - 1)];
    bytes[..value.len()].copy_from_slice(value.as_bytes());
    bytes
}

/// The value in an answer. Whatever follows the first zero does not count: the reference leaves garbage there.
pub fn parameter_value(bytes: &[u8]) -> Result<&str, WireError> {
    let value = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    std::str::from_utf8(value).map_err(|_| WireError::Text("the value of a parameter"))
}
