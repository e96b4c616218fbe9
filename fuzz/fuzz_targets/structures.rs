//! SSP and OSP structures of any bytes: read or refused, without panic.
#![no_main]

use cardan_describe::xml::{Folder, decode};
use cardan_describe::{Reporter, Source, osp, ssp};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let (text, _) = decode(bytes);
    let nowhere = Folder::sealed(Path::new("/nonexistent"));
    let _ = ssp::parse(Source::new("a.ssd", text.clone()), &nowhere, &mut Reporter::new());
    let _ = osp::parse(Source::new("a.xml", text), &nowhere, &mut Reporter::new());
});
