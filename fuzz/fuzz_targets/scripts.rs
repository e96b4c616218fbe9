//! Co-simulation scripts and their maps of any bytes: read or refused, without panic. A NUL parts the two.
#![no_main]

use cardan_describe::{Reporter, Source, acsi};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (script, map) = text.split_once('\0').unwrap_or((&text, ""));
    let map = Source::new("a.map.toml", map);
    let mut reporter = Reporter::new();
    let _ = acsi::parse(Source::new("a.cosim", script), Some(map), &mut reporter);
    let _ = reporter.render_all(false);
});
