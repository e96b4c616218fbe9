//! The file of a scene.

use super::{Mechanism, Scene, VERSION};
use crate::error::ReadError;
use crate::target::{Target, failed};
use cardan_core::record::RecordError;
use serde::Deserialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the scene of a result lies: `hello.scene.json` beside `hello.csv`.
pub fn beside(result: &Path) -> PathBuf {
    let mut name = result.file_stem().unwrap_or_default().to_os_string();
    name.push(".scene.json");
    result.with_file_name(name)
}

fn name_of(result: &Path) -> String {
    let name = result.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A scene that is written, and takes its place when its result does. Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct SceneFile(Target);

impl SceneFile {
    /// Writes the scene that belongs beside `result`, so that one that cannot be written is known at once.
    pub fn create(result: &Path, mechanisms: Vec<Mechanism>) -> Result<Self, RecordError> {
        let path = beside(result);
        let mut target = Target::create(&path)?;
        let scene = Scene::new(name_of(result), mechanisms);
        let mut text = serde_json::to_vec_pretty(&scene).map_err(|e| failed(&path, e))?;
        text.push(b'\n');
        target.write_all(&text).map_err(|e| failed(&path, e))?;
        Ok(SceneFile(target))
    }

    /// The scene takes its place; what had the name before is gone from then on.
    pub fn commit(self) -> Result<(), RecordError> {
        self.0.commit()
    }
}

impl Scene {
    /// Reads a scene.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let text = fs::read(path).map_err(|e| ReadError::because(path, "cannot be read", e))?;
        let wrong = |e| ReadError::because(path, "is not a scene", e);
        let head: Head = serde_json::from_slice(&text).map_err(wrong)?;
        if head.version != VERSION {
            let message = format!(
                "is a scene of version {}; this program reads version {VERSION}",
                head.version
            );
            return Err(ReadError::new(path, message));
        }
        serde_json::from_slice(&text).map_err(wrong)
    }

    /// The scene beside a result, with its path, if there is one that says it is of this result.
    pub fn of(result: &Path) -> Option<(PathBuf, Scene)> {
        let path = beside(result);
        let scene = Scene::read(&path).ok()?;
        (scene.results == name_of(result)).then_some((path, scene))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Placement, Space};

    fn mechanism() -> Mechanism {
        Mechanism {
            component: "arm".to_owned(),
            space: Space::Plane,
            placement: Placement {
                position: [0.1 + 0.2, -0.0, 5e-324],
                orientation: [1.0, 0.0, 0.0, 0.0],
                length: 1.0 / 3.0,
                time: f64::MAX,
            },
            gravity: [0.0, -9.81, 0.0],
            ground: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            springs: Vec::new(),
            contacts: Vec::new(),
        }
    }

    #[test]
    fn it_appears_at_the_end_and_reads_back_to_the_same_bits() {
        let folder = tempfile::tempdir().unwrap();
        let result = folder.path().join("run.2.parquet");
        let file = SceneFile::create(&result, vec![mechanism()]).unwrap();
        let path = folder.path().join("run.2.scene.json");
        assert!(!path.exists());
        file.commit().unwrap();
        let (found, scene) = Scene::of(&result).unwrap();
        assert_eq!(found, path);
        assert_eq!(scene, Scene::new("run.2.parquet", vec![mechanism()]));
        // Equality does not tell zeros apart.
        assert!(scene.mechanisms[0].placement.position[1].is_sign_negative());
        // It is of another result of that name.
        assert!(Scene::of(&folder.path().join("run.2.csv")).is_none());
    }

    #[test]
    fn what_is_no_scene_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.scene.json");
        fs::write(&path, r#"{ "version": 7 }"#).unwrap();
        let message = Scene::read(&path).unwrap_err().to_string();
        assert!(message.contains("version 7"), "{message}");
        fs::write(&path, "[]").unwrap();
        let message = Scene::read(&path).unwrap_err().to_string();
        assert!(message.contains("not a scene"), "{message}");
    }
}
