//! Measures how deep the brackets of a text are nested before it is parsed: the parser itself would read the
//! rest of the text again for every `Some(` on its way down.

use ron::error::Position;

use crate::noise::MAX_DEPTH;

/// The deepest nesting of brackets: a node takes up to six levels, the value around it a few more.
pub(super) const MOST: usize = 6 * MAX_DEPTH + 8;
/// The deepest nesting of `Some(`.
const MOST_SOME: usize = 8;

/// The position where brackets are nested too deep, if any, and what is allowed.
pub(super) fn too_deep(text: &str) -> Option<(Position, String)> {
    let bytes = text.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or_default();
    // Whether each of the open brackets belongs to a `Some`.
    let mut open = Vec::new();
    let mut some = false;
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            b'/' if at(i + 1) == b'/' => i = find(text, i, "\n"),
            b'/' if at(i + 1) == b'*' => i = after_comment(bytes, i),
            b'"' => i = after_string(bytes, i),
            b'\'' => i = after_character(text, i),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                while at(i).is_ascii_alphanumeric() || at(i) == b'_' {
                    i += 1;
                }
                let word = &text[start..i];
                some = word == "Some";
                let hashes = bytes[i..].iter().take_while(|&&byte| byte == b'#').count();
                if matches!(word, "r" | "br") && at(i + hashes) == b'"' {
                    i = find(text, i + hashes + 1, &format!("\"{}", "#".repeat(hashes)));
                }
            }
            b'(' | b'[' | b'{' => {
                open.push(std::mem::take(&mut some));
                let somes = open.iter().filter(|&&some| some).count();
                if open.len() > MOST || somes > MOST_SOME {
                    let (what, most) = if somes > MOST_SOME { ("`Some(`", MOST_SOME) } else { ("brackets", MOST) };
                    let message = format!("found {what} {} deep, allowed is a recursion of at most {most}", most + 1);
                    return Some((position(text, i), message));
                }
                i += 1;
            }
            byte => {
                if matches!(byte, b')' | b']' | b'}') {
                    open.pop();
                }
                // `Some (` is a `Some(`, too.
                some &= byte.is_ascii_whitespace();
                i += 1;
            }
        }
    }
    None
}

/// The position after the next `end`, or the end of the text.
fn find(text: &str, from: usize, end: &str) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|window| window == end.as_bytes()).map_or(text.len(), |i| from + i + end.len())
}

/// Block comments may hold others.
fn after_comment(bytes: &[u8], from: usize) -> usize {
    let (mut depth, mut i) = (0, from);
    while i < bytes.len() {
        match bytes[i..] {
            [b'/', b'*', ..] => (depth, i) = (depth + 1, i + 2),
            [b'*', b'/', ..] => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            break;
        }
    }
    i
}

fn after_string(bytes: &[u8], from: usize) -> usize {
    let mut i = from + 1;
    while i < bytes.len() && bytes[i] != b'"' {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    i + 1
}

/// The position after a quoted character, or after a lone quote.
fn after_character(text: &str, from: usize) -> usize {
    let mut rest = text[from + 1..].char_indices();
    match (rest.next(), rest.next()) {
        (Some((_, '\\')), Some((escaped, character))) => find(text, from + 1 + escaped + character.len_utf8(), "'"),
        (Some(_), Some((end, '\''))) => from + 2 + end,
        _ => from + 1,
    }
}

fn position(text: &str, at: usize) -> Position {
    let before = &text[..at];
    let line = before.rsplit('\n').next().unwrap_or_default();
    Position { line: 1 + before.matches('\n').count(), col: 1 + line.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_words_are_none() {
        let many = "(".repeat(2 * MOST);
        for text in [
            format!("(a: \"{many}\", b: 'x')"),
            format!("(a: \"\\\"{many}\\\\\")"),
            format!("(a: r#\"\"{many}\"#, b: r\"{many}\")"),
            format!("// {many}\n()"),
            format!("/* /* {many} */ {many} */ ()"),
            "('(', '\\'', '\\u{28}', \"(\")".repeat(MOST),
            "a'(', b'(', ".repeat(MOST),
            "Some([1, 2]), ".repeat(50),
        ] {
            assert_eq!(too_deep(&text), None, "{}", &text[..40.min(text.len())]);
        }
        let (position, message) = too_deep(&format!("(\n  a: {many}")).unwrap();
        assert_eq!((position.line, position.col), (2, 6 + MOST - 1));
        assert_eq!(message, "found brackets 201 deep, allowed is a recursion of at most 200");
        assert!(too_deep(&"Some\n (".repeat(9)).unwrap().1.contains("`Some(` 9 deep"));
    }
}
