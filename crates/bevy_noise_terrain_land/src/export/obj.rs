//! The surface as Wavefront OBJ.

use std::io::{self, Write};

use super::{Heights, Progress};

pub(super) fn write(heights: &Heights, file: &mut impl Write, progress: &Progress) -> io::Result<()> {
    let [columns, rows] = heights.size;
    let [x, z] = heights.center();
    writeln!(file, "# metres, y up; 0 0 0 is x {x}, z {z}\no terrain")?;
    let steps = 2 * rows;
    for row in 0..rows {
        progress.step_io(row, steps)?;
        for column in 0..columns {
            let [x, y, z] = heights.position(column, row);
            let [a, b, c] = heights.normal(column, row);
            writeln!(file, "v {x} {y} {z}\nvn {a:.4} {b:.4} {c:.4}")?;
        }
    }
    for row in 0..rows - 1 {
        progress.step_io(rows + row, steps)?;
        for corners in heights.triangles(row) {
            // OBJ counts from 1.
            let [a, b, c] = corners.map(|index| index + 1);
            writeln!(file, "f {a}//{a} {b}//{b} {c}//{c}")?;
        }
    }
    progress.step_io(1, 1)
}

#[cfg(test)]
mod tests {
    use super::super::heights::tests::some;
    use super::*;

    #[test]
    fn every_line_is_written() {
        let heights = some();
        let mut bytes = Vec::new();
        write(&heights, &mut bytes, &Progress::default()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let count = |head: &str| text.lines().filter(|line| line.split(' ').next() == Some(head)).count();
        assert_eq!((count("v"), count("vn"), count("f")), (31 * 31, 31 * 31, 2 * 30 * 30));
        let first = text.lines().find(|line| line.starts_with("v ")).unwrap();
        assert_eq!(first, format!("v -30 {} -30", heights.heights[0]));
        let last: Vec<&str> = text.lines().last().unwrap().split([' ', '/']).collect();
        assert_eq!(last[4], (31 * 31).to_string());
    }
}
