//! Heights as 16-bit grey.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Encoder};

use super::{Heights, Progress};

pub(super) fn write(heights: &Heights, file: &mut impl Write, progress: &Progress) -> io::Result<()> {
    let [columns, rows] = heights.size;
    let mut encoder = Encoder::new(file, columns as u32, rows as u32);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Sixteen);
    for (key, metres) in [
        ("lowest", f64::from(heights.min)),
        ("highest", f64::from(heights.max)),
        ("spacing", heights.spacing),
        ("x", heights.origin[0]),
        ("z", heights.origin[1]),
    ] {
        encoder.add_text_chunk(key.to_owned(), metres.to_string())?;
    }
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let mut line = Vec::with_capacity(2 * columns);
    for row in 0..rows {
        progress.step_io(row, rows)?;
        line.clear();
        line.extend((0..columns).flat_map(|column| grey(heights, heights.at(column, row)).to_be_bytes()));
        stream.write_all(&line)?;
    }
    stream.finish()?;
    writer.finish()?;
    progress.step_io(1, 1)
}

/// 0 for the lowest height, 65 535 for the highest.
fn grey(heights: &Heights, height: f32) -> u16 {
    let range = f64::from(heights.max) - f64::from(heights.min);
    if range <= 0.0 {
        return 0;
    }
    ((f64::from(height) - f64::from(heights.min)) / range * f64::from(u16::MAX)).round() as u16
}

#[cfg(test)]
mod tests {
    use super::super::heights::tests::some;
    use super::*;

    #[test]
    fn the_image_restores_the_heights() {
        let heights = some();
        let mut bytes = Vec::new();
        write(&heights, &mut bytes, &Progress::default()).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let text = |key: &str| -> f32 {
            let info = reader.info();
            info.uncompressed_latin1_text.iter().find(|chunk| chunk.keyword == key).unwrap().text.parse().unwrap()
        };
        let (low, high) = (text("lowest"), text("highest"));
        assert_eq!((low, high, text("spacing")), (heights.min, heights.max, 2.0));
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        assert_eq!((info.width, info.height, info.bit_depth), (31, 31, BitDepth::Sixteen));
        for (pair, height) in data.chunks_exact(2).zip(&heights.heights) {
            let grey = f32::from(u16::from_be_bytes([pair[0], pair[1]]));
            let read = low + (high - low) * grey / 65_535.0;
            assert!((read - height).abs() <= (high - low) / 65_535.0, "{read} {height}");
        }
    }

    #[test]
    fn level_land_is_black() {
        let heights = Heights { heights: vec![5.0; 4], size: [2, 2], min: 5.0, max: 5.0, ..some() };
        assert_eq!(grey(&heights, 5.0), 0);
    }
}
