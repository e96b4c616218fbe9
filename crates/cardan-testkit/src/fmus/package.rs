//! Files, folders and zip archives.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;

/// What is in a folder, in order; nothing if there is no such folder.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    found.sort();
    found
}

/// Every file under a folder, in order.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in entries(folder) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            found.push(entry);
        }
    }
    found
}

pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to)
        .unwrap_or_else(|error| panic!("cannot copy {} to {}: {error}", from.display(), to.display()));
}

pub(super) fn copy_all(from: &Path, to: &Path) {
    for file in files(from) {
        copy(&file, &to.join(file.strip_prefix(from).unwrap()));
    }
}

pub(super) fn zip(folder: &Path, archive: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(archive).unwrap());
    for file in files(folder) {
        let name = file.strip_prefix(folder).unwrap().to_str().unwrap();
        let mode = if name.ends_with(".so") { 0o755 } else { 0o644 };
        zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode))
            .unwrap();
        zip.write_all(&fs::read(&file).unwrap()).unwrap();
    }
    zip.finish().unwrap();
}

/// Writes an archive of files given by name and content.
pub fn pack(archive: &Path, files: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(archive).unwrap());
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

/// Writes an archive of everything in a folder.
pub fn pack_folder(folder: &Path, archive: &Path) {
    zip(folder, archive);
}
