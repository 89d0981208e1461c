//! The surface as binary glTF 2.0: one mesh of positions, normals and indices.

use std::io::{self, Write};

use serde_json::json;

use super::{Heights, Progress};

// Component types and buffer view targets, from sections 3.6 and 3.11 of the glTF specification.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

pub(super) fn write(heights: &Heights, file: &mut impl Write, progress: &Progress) -> io::Result<()> {
    let [columns, rows] = heights.size;
    let vertices = columns * rows;
    let indices = 6 * (columns - 1) * (rows - 1);
    let (vectors, body) = (12 * vertices, 24 * vertices + 4 * indices);
    let [x, z] = heights.center();
    let ([left, _, back], [right, _, front]) = (heights.position(0, 0), heights.position(columns - 1, rows - 1));
    let document = json!({
        "asset": { "version": "2.0", "generator": "bevy_noise_terrain", "extras": { "x": x, "z": z } },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "terrain", "mesh": 0 }],
        "meshes": [{ "name": "terrain", "primitives": [
            { "attributes": { "POSITION": 0, "NORMAL": 1 }, "indices": 2, "material": 0 },
        ] }],
        "materials": [{ "name": "ground", "pbrMetallicRoughness": {
            "baseColorFactor": [0.35, 0.34, 0.3, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.95,
        } }],
        "buffers": [{ "byteLength": body }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": vectors, "target": ARRAY_BUFFER },
            { "buffer": 0, "byteOffset": vectors, "byteLength": vectors, "target": ARRAY_BUFFER },
            { "buffer": 0, "byteOffset": 2 * vectors, "byteLength": 4 * indices, "target": ELEMENT_ARRAY_BUFFER },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": FLOAT, "count": vertices, "type": "VEC3",
              "min": [left, heights.min, back], "max": [right, heights.max, front] },
            { "bufferView": 1, "componentType": FLOAT, "count": vertices, "type": "VEC3" },
            { "bufferView": 2, "componentType": UNSIGNED_INT, "count": indices, "type": "SCALAR" },
        ],
    });
    let mut document = document.to_string().into_bytes();
    // Chunks are padded to whole words, JSON with spaces.
    document.resize(document.len().next_multiple_of(4), b' ');
    let word = |value: usize| {
        u32::try_from(value).map(u32::to_le_bytes).map_err(|_| io::Error::other("more than glTF's 4 GB"))
    };
    file.write_all(b"glTF")?;
    file.write_all(&2u32.to_le_bytes())?;
    file.write_all(&word(12 + 8 + document.len() + 8 + body)?)?;
    file.write_all(&word(document.len())?)?;
    file.write_all(b"JSON")?;
    file.write_all(&document)?;
    file.write_all(&word(body)?)?;
    file.write_all(b"BIN\0")?;

    let steps = 3 * rows;
    let vectors = |file: &mut dyn Write, first: usize, vector: &dyn Fn(usize, usize) -> [f32; 3]| {
        for row in 0..rows {
            progress.step_io(first + row, steps)?;
            for column in 0..columns {
                file.write_all(vector(column, row).map(f32::to_le_bytes).as_flattened())?;
            }
        }
        io::Result::Ok(())
    };
    vectors(file, 0, &|column, row| heights.position(column, row))?;
    vectors(file, rows, &|column, row| heights.normal(column, row))?;
    for row in 0..rows - 1 {
        progress.step_io(2 * rows + row, steps)?;
        for corners in heights.triangles(row) {
            file.write_all(corners.map(u32::to_le_bytes).as_flattened())?;
        }
    }
    progress.step_io(1, 1)
}

#[cfg(test)]
mod tests {
    use super::super::heights::tests::some;
    use super::*;

    #[test]
    fn the_file_matches_its_headers() {
        let heights = some();
        let mut file = Vec::new();
        write(&heights, &mut file, &Progress::default()).unwrap();
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(&file[..4], b"glTF");
        assert_eq!((word(4), word(8)), (2, file.len()));
        let json = word(12);
        assert_eq!((json % 4, &file[16..20]), (0, &b"JSON"[..]));
        let document: serde_json::Value = serde_json::from_slice(&file[20..20 + json]).unwrap();
        assert_eq!(word(20 + json), file.len() - 28 - json);
        assert_eq!(document["buffers"][0]["byteLength"], word(20 + json));
        let binary = 28 + json;
        let float = |index: usize| f32::from_bits(word(binary + 4 * index) as u32);
        assert_eq!([float(0), float(1), float(2)], heights.position(0, 0));
        let normals = 3 * 31 * 31;
        assert_eq!([float(normals), float(normals + 1), float(normals + 2)], heights.normal(0, 0));
        let view = &document["bufferViews"][2];
        let first = binary + view["byteOffset"].as_u64().unwrap() as usize;
        let count = document["accessors"][2]["count"].as_u64().unwrap() as usize;
        assert_eq!(first + 4 * count, file.len());
        assert!((0..count).all(|index| word(first + 4 * index) < 31 * 31));
        let low = document["accessors"][0]["min"][1].as_f64().unwrap();
        assert!((low - f64::from(heights.min)).abs() < 1e-3);
    }
}
