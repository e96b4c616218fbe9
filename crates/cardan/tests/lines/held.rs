//! Signals that change in jumps.

use super::support::{Variant, reals};
use cardan::Overrides;

/// Samples count from their very instant on, though that of most of them, k / 10 + 0.2, is not the one of the row, (k + 2) / 10, in
/// its last bits.
#[test]
fn a_sample_counts_from_the_instant_at_which_it_arrives() {
    let text = |reader: &str| {
        format!(
            r#"
[system]
stop = 3.0
[components.wave]
model = "sine"
parameters = {{ frequency = 0.37, amplitude = 2.0, period = 0.1 }}
step = 0.1
{reader}
[[lines]]
from = {{ value = "wave.y" }}
to = {{ value = "ear.u" }}
delay = 0.2
[record]
every = 0.1
variables = ["wave.y", "ear.u", "ear.y"]
"#
        )
    };
    let gain = "[components.ear]\nmodel = \"gain\"\nparameters = { k = 1.0 }\nstep = 0.1";
    // One that goes as far ahead as what it hears of is known.
    let ahead = gain.replace("step = 0.1", "step = 0.2");
    for reader in [gain, &ahead] {
        let table = Variant::text(&text(reader)).run(Overrides::default());
        let (sent, heard, shown) = (
            reals(&table, "wave.y"),
            reals(&table, "ear.u"),
            reals(&table, "ear.y"),
        );
        assert!(sent.windows(2).all(|pair| pair[0] != pair[1]));
        for row in 2..sent.len() {
            // Copied and not computed, so the same to the last bit.
            assert_eq!(heard[row], sent[row - 2], "at {} s", table.times[row]);
            if reader == gain {
                assert_eq!(shown[row], sent[row - 2], "at {} s", table.times[row]);
            }
        }
    }
}
