//! Files that are not what they should be.

use cardan_describe::{Reporter, load};
use insta::assert_snapshot;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A folder of its own for each test, gone afterwards.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cardan-describe-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(super) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        File::create(&path).unwrap().write_all(bytes).unwrap();
        path
    }

    fn complaints(&self, path: &Path) -> String {
        self.said(|reporter| assert!(load(path, reporter).is_none()))
    }

    /// What is said while something is done with files here.
    pub(super) fn said<T>(&self, act: impl FnOnce(&mut Reporter) -> T) -> String {
        let mut reporter = Reporter::new();
        act(&mut reporter);
        reporter
            .render_all(false)
            .replace(&self.0.display().to_string(), "DIR")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_folder_stands_for_its_description() {
    let folder = Folder::new("good");
    folder.file(
        "system.toml",
        b"\xEF\xBB\xBF[system]\nstop = 1\n[components.a]\nmodel = \"x\"\n",
    );
    let mut reporter = Reporter::new();
    let spec = load(&folder.0, &mut reporter).unwrap();
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    assert_eq!(spec.components.len(), 1);
}

#[test]
fn what_cannot_be_read() {
    let folder = Folder::new("bad");
    assert_snapshot!(folder.complaints(&folder.0), @r#"
    error: the folder has no `system.toml`
     --> DIR/system.toml
      = help: name the description itself, or a folder that has one
    "#);
    assert_snapshot!(folder.complaints(&folder.0.join("none.toml")), @r#"
    error: there is no such file
     --> DIR/none.toml
      = help: check the path
    "#);
    let empty = folder.file("empty.toml", b" \n\n");
    assert_snapshot!(folder.complaints(&empty), @r#"
    error: the file is empty
     --> DIR/empty.toml
      = help: `cardan example` writes a description to start from
    "#);
    let latin = folder.file("latin.toml", b"[system]\nname = \"Stra\xDFe\"\n");
    assert_snapshot!(folder.complaints(&latin), @r#"
    error: line 2 is not text in UTF-8
     --> DIR/latin.toml:2:1
      = help: save the file as UTF-8: is this the right file?
    "#);
    let binary = folder.file("binary.toml", b"PK\x03\x04\x00\x00\n");
    assert_snapshot!(folder.complaints(&binary), @r#"
    error: line 1 is not text in UTF-8
     --> DIR/binary.toml:1:1
      = help: save the file as UTF-8: is this the right file?
    "#);
    std::fs::create_dir_all(folder.0.join("nested/system.toml")).unwrap();
    assert_snapshot!(folder.complaints(&folder.0.join("nested")), @r#"
    error: this is a folder, not a file
     --> DIR/nested/system.toml
      = help: name a description in it
    "#);
}

#[test]
fn a_hundred_megabytes_of_garbage_are_refused_at_once() {
    let folder = Folder::new("garbage");
    let path = folder.file("garbage.toml", b"");
    let mut file = File::create(&path).unwrap();
    let block = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        file.write_all(&block).unwrap();
    }
    drop(file);
    let begin = Instant::now();
    assert_snapshot!(folder.complaints(&path), @r#"
    error: the file is longer than 16 MB
     --> DIR/garbage.toml
      = help: a description is a short text: is this the right file?
    "#);
    assert!(begin.elapsed() < Duration::from_secs(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_end_is_refused() {
    let mut reporter = Reporter::new();
    assert!(load(Path::new("/dev/zero"), &mut reporter).is_none());
    assert_snapshot!(reporter.render_all(false), @r#"
    error: the file is longer than 16 MB
     --> /dev/zero
      = help: a description is a short text: is this the right file?
    "#);
}

#[test]
fn garbage_just_short_of_the_limit_ends_too() {
    let folder = Folder::new("large");
    for unit in ["[", "=", "a.", "\"", "]\n", "{a=", "x = 1\n", "x", "\u{1b}"] {
        let text = unit.repeat((8 << 20) / unit.len());
        let path = folder.file("large.toml", text.as_bytes());
        let mut reporter = Reporter::new();
        let begin = Instant::now();
        load(&path, &mut reporter);
        let text = reporter.render_all(false);
        assert!(reporter.has_errors() && text.len() < 100_000, "{unit:?}");
        println!("{unit:?}: {:?}", begin.elapsed());
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{unit:?} took {:?}",
            begin.elapsed()
        );
    }
}
