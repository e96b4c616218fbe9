//! docs/ARCHITECTURE.md names what is there, and all of it.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_map_matches_the_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let named: BTreeSet<&str> = text.split('`').skip(1).step_by(2).collect();

    let core = Path::new("crates/cardan-core/src");
    let is_place = |name: &&&str| name.contains('/') || name.ends_with(".rs");
    for place in named.iter().filter(is_place).filter(|name| !name.contains(' ')) {
        let known = [
            root.join(place),
            root.join(core).join(place),
            root.join(core).join("method").join(place),
        ];
        assert!(
            known.iter().any(|p| p.exists()),
            "docs/ARCHITECTURE.md names `{place}`, which does not exist"
        );
    }

    let mentions = |path: &str| named.iter().any(|name| name.trim_end_matches('/') == path);
    for entry in std::fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("crates/{name}");
        assert!(mentions(&path), "docs/ARCHITECTURE.md does not mention `{path}`");
        for module in std::fs::read_dir(root.join(&path).join("src")).unwrap() {
            let module = module.unwrap();
            let file = module.file_name().into_string().unwrap();
            // Folders are parts of the map everywhere; single files only in the engine.
            let part = module.path().is_dir() || (name == "cardan-core" && file != "lib.rs");
            let known = mentions(&format!("{path}/src/{file}")) || (name == "cardan-core" && mentions(&file));
            assert!(
                !part || known,
                "docs/ARCHITECTURE.md does not mention `{path}/src/{file}`"
            );
        }
    }
}

#[test]
fn every_decision_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/adr");
    let index = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "README.md" || index.contains(&name),
            "docs/adr/README.md does not list {name}"
        );
    }
}
