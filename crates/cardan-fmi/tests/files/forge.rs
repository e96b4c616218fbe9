//! Writes zip files byte by byte, so that they can say whatever we want them to.

/// One entry, with all that can be wrong about it.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) mode: u32,
    /// Said in the headers instead of the real ones.
    pub(crate) size: Option<u32>,
    pub(crate) packed: Option<u32>,
    pub(crate) crc: Option<u32>,
    /// Name in the local header, where it differs.
    pub(crate) local_name: Option<Vec<u8>>,
    /// Points to the local header of another entry.
    pub(crate) same_place_as: Option<usize>,
}

pub(crate) fn entry(name: &str, data: impl AsRef<[u8]>) -> Entry {
    Entry {
        name: name.as_bytes().to_vec(),
        data: data.as_ref().to_vec(),
        method: 0,
        flags: 0x0800, // names are in UTF-8
        mode: 0o100_644,
        size: None,
        packed: None,
        crc: None,
        local_name: None,
        same_place_as: None,
    }
}

pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let common = |bytes: &mut Vec<u8>, name: &[u8]| {
            bytes.extend(20u16.to_le_bytes());
            bytes.extend(entry.flags.to_le_bytes());
            bytes.extend(entry.method.to_le_bytes());
            bytes.extend([0, 0, 0x21, 0]);
            bytes.extend(entry.crc.unwrap_or_else(|| crc32(&entry.data)).to_le_bytes());
            let length = entry.data.len() as u32;
            bytes.extend(entry.packed.unwrap_or(length).to_le_bytes());
            bytes.extend(entry.size.unwrap_or(length).to_le_bytes());
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend([0, 0]);
        };
        let place = match entry.same_place_as {
            Some(other) => places[other],
            None => bytes.len() as u32,
        };
        places.push(place);
        if entry.same_place_as.is_none() {
            let name = entry.local_name.as_ref().unwrap_or(&entry.name);
            bytes.extend(b"PK\x03\x04");
            common(&mut bytes, name);
            bytes.extend(name);
            bytes.extend(&entry.data);
        }
        directory.extend(b"PK\x01\x02");
        directory.extend([20, 3]); // made on Unix
        common(&mut directory, &entry.name);
        directory.extend([0, 0, 0, 0, 0, 0]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(place.to_le_bytes());
        directory.extend(&entry.name);
    }
    let start = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend((entries.len() as u16).to_le_bytes().repeat(2));
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn crc32(data: &[u8]) -> u32 {
    let step = |crc: u32| {
        if crc & 1 == 1 {
            (crc >> 1) ^ 0xEDB8_8320
        } else {
            crc >> 1
        }
    };
    !data.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc))
    })
}

/// An honest archive, deflated.
pub(crate) fn deflated(entries: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, data) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(data).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
