//! Files that are no checkpoints, or of something else: each is refused before anything runs, and told why.

use crate::bench::Bench;
use crate::systems::{clocks, fixed};
use std::fs;

/// A system with a checkpoint in the middle, and the bytes of it.
fn kept(text: &str) -> (Bench, Vec<u8>) {
    let bench = Bench::new(text);
    bench.run_until(0.2, bench.keeping());
    fs::remove_file(bench.out()).unwrap();
    let bytes = fs::read(bench.checkpoint()).unwrap();
    (bench, bytes)
}

/// What is said of the checkpoint.
#[track_caller]
fn refusal(bench: &Bench) -> String {
    let Err(error) = bench.open(bench.resuming()) else {
        panic!("it was not refused");
    };
    assert_eq!(error.exit_code(), 2, "{error}");
    assert!(!bench.out().exists());
    error.to_string()
}

#[track_caller]
fn says(bench: &Bench, words: &str) {
    let told = refusal(bench);
    assert!(told.contains(words), "{told}");
    assert!(told.contains("state.checkpoint"), "{told}");
}

#[test]
fn what_is_no_checkpoint() {
    let (bench, _) = kept(&fixed("jacobi"));
    let file = bench.checkpoint();
    fs::remove_file(&file).unwrap();
    says(&bench, "No such file");
    fs::create_dir(&file).unwrap();
    says(&bench, "it is a folder");
    fs::remove_dir(&file).unwrap();
    for nonsense in [&b""[..], b"CARDAN", b"time,x\n0,1\n", &[0xff; 4000]] {
        fs::write(&file, nonsense).unwrap();
        says(&bench, "it is no checkpoint");
    }
}

/// Any one bit, any length.
#[test]
fn damage_anywhere() {
    let (bench, bytes) = kept(&fixed("jacobi"));
    let file = bench.checkpoint();
    let mut places: Vec<usize> = (0..80).chain(bytes.len() - 40..bytes.len()).collect();
    places.extend((80..bytes.len() - 40).step_by(97));
    for place in places {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        fs::write(&file, &changed).unwrap();
        let told = refusal(&bench);
        let expected = match place {
            0..8 => "it is no checkpoint",
            8..16 => "it has layout",
            _ => "its checksum is wrong",
        };
        assert!(told.contains(expected), "{place}: {told}");
    }
    for length in (0..bytes.len()).step_by(61).chain([bytes.len() - 1]) {
        fs::write(&file, &bytes[..length]).unwrap();
        refusal(&bench);
    }
    fs::write(&file, [bytes.as_slice(), b"more"].concat()).unwrap();
    says(&bench, "its checksum is wrong");
    // The one that was not damaged still serves.
    fs::write(&file, &bytes).unwrap();
    bench.finish(bench.resuming());
}

/// A later version may write its state in another way.
#[test]
fn another_version() {
    let (bench, bytes) = kept(&fixed("jacobi"));
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let place = bytes.windows(version.len()).position(|w| w == version).unwrap();
    let mut body = bytes[..bytes.len() - 32].to_vec();
    body[place] = b'9';
    use sha2::{Digest, Sha256};
    let checksum = Sha256::digest(&body);
    body.extend_from_slice(&checksum);
    fs::write(bench.checkpoint(), &body).unwrap();
    says(&bench, "it was written by cardan 9");
}

/// What decides a bit must be the same.
#[test]
fn another_system() {
    let base = fixed("jacobi");
    let (bench, _) = kept(&base);
    let changes = [
        ("step = 0.002", "step = 0.001", "another method, order or step"),
        ("\"jacobi\"", "\"gauss-seidel\"", "another method, order or step"),
        ("mass = 1.0", "mass = 1.5", "other parameters"),
        (
            "[components.one]",
            "[components.one]\nsolver = { kind = \"rk4\", step = 1e-4 }",
            "other components",
        ),
        (
            "to = \"one.force\"",
            "to = \"one.force\"\nreading = \"quadratic\"",
            "other connections",
        ),
        ("[method]", "[record]\nevery = 0.1\n[method]", "`every`"),
        (
            "[method]",
            "[record]\nvariables = [\"one.*\"]\n[method]",
            "other recorded variables",
        ),
    ];
    for (from, to, words) in changes {
        assert!(base.contains(from), "{from}");
        bench.place.write("system.toml", &base.replace(from, to));
        says(&bench, words);
        says(&bench, "`two-mass`");
    }
    bench.place.write(
        "system.toml",
        &base
            .replace("components.one]", "components.uno]")
            .replace("one.", "uno."),
    );
    says(&bench, "other components");
    // Names of files, limits and comments decide nothing.
    bench.place.write(
        "system.toml",
        &format!("# changed\n{base}\n[limits]\ncall = 5.0\n"),
    );
    bench.finish(bench.resuming());
}

/// An FMU that was exported anew, or a table with other numbers.
#[test]
fn other_files() {
    let (bench, _) = kept(&clocks(0.1));
    let folder = bench.place.path().to_owned();
    let text = fs::read_to_string(folder.join("system.toml")).unwrap();
    bench.place.copy("ticker-fmi3", "changed.fmu");
    let original = text.lines().find(|line| line.contains("ticker.fmu")).unwrap();
    bench
        .place
        .write("system.toml", &text.replace(original, "fmu = \"changed.fmu\""));
    // The same FMU elsewhere is the same FMU.
    bench.finish(bench.resuming());
    fs::remove_file(bench.out()).unwrap();
    let mut bytes = fs::read(folder.join("changed.fmu")).unwrap();
    // A comment at the end of the archive changes nothing but its bytes.
    let end = bytes.len();
    bytes[end - 2..].copy_from_slice(&4_u16.to_le_bytes());
    bytes.extend_from_slice(b"anew");
    fs::write(folder.join("changed.fmu"), bytes).unwrap();
    says(&bench, "other contents of the files");
}

/// The end lies behind.
#[test]
fn an_earlier_stop() {
    let (mut bench, _) = kept(&fixed("jacobi"));
    bench.overrides.stop = Some(0.1);
    says(&bench, "give a later --stop");
}

/// What is there and no checkpoint is not overwritten, and a place that is none is told at once.
#[test]
fn places_where_none_can_be_kept() {
    let bench = Bench::new(&fixed("jacobi"));
    fs::write(bench.checkpoint(), "my thesis").unwrap();
    let refused = |bench: &Bench, options| {
        let error = bench.open(options).err().unwrap();
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    let told = refused(&bench, bench.keeping());
    assert!(told.contains("it is there, and is no checkpoint"), "{told}");
    assert_eq!(fs::read_to_string(bench.checkpoint()).unwrap(), "my thesis");
    let mut nowhere = bench.keeping();
    nowhere.checkpoints.as_mut().unwrap().file = bench.place.path().join("no/such/state");
    let told = refused(&bench, nowhere);
    assert!(told.contains("no checkpoint can be kept in"), "{told}");
}
