//! Pages of memory on the GPU, handed out to what is drawn.

use std::hash::Hash;

use bevy::platform::collections::HashMap;

/// A fixed number of pages. A page goes to something else once what it holds is not drawn any more, the longest unseen first.
pub struct PageTable<K, V> {
    pages: Vec<Page<K, V>>,
    of_key: HashMap<K, usize>,
    frame: u64,
}

struct Page<K, V> {
    /// What it holds, and for which key.
    held: Option<(K, V)>,
    /// The frame in which it was drawn last.
    drawn: u64,
}

impl<K: Copy + Eq + Hash, V> PageTable<K, V> {
    /// `count` pages, all free.
    pub fn new(count: usize) -> Self {
        let pages = (0..count).map(|_| Page { held: None, drawn: 0 }).collect();
        Self { pages, of_key: HashMap::default(), frame: 0 }
    }

    /// The number of pages.
    pub fn count(&self) -> usize {
        self.pages.len()
    }

    /// The number of pages that hold nothing that is drawn in this frame.
    pub fn free(&self) -> usize {
        self.pages.iter().filter(|page| page.drawn < self.frame).count()
    }

    /// Begins another frame.
    pub fn begin_frame(&mut self) {
        self.frame += 1;
    }

    /// The page of a key and what it holds, if it has one: it is drawn in this frame.
    pub fn draw(&mut self, key: K) -> Option<(usize, &V)> {
        let index = *self.of_key.get(&key)?;
        let page = &mut self.pages[index];
        page.drawn = self.frame;
        page.held.as_ref().map(|(_, value)| (index, value))
    }

    /// Gives a key that is drawn in this frame a page for what is to be written there; `None` if all pages hold what is drawn.
    pub fn write(&mut self, key: K, value: V) -> Option<usize> {
        let index = self.of_key.get(&key).copied().or_else(|| {
            let oldest = self.pages.iter().enumerate().min_by_key(|(_, page)| page.drawn);
            oldest.filter(|(_, page)| page.drawn < self.frame).map(|(index, _)| index)
        })?;
        let page = &mut self.pages[index];
        page.drawn = self.frame;
        if let Some((old, _)) = page.held.replace((key, value)) {
            self.of_key.remove(&old);
        }
        self.of_key.insert(key, index);
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_go_to_what_is_drawn() {
        let mut pages = PageTable::new(2);
        pages.begin_frame();
        assert_eq!(pages.draw(7), None);
        assert_eq!(pages.write(7, "a"), Some(0));
        assert_eq!(pages.write(9, "b"), Some(1));
        assert_eq!((pages.write(3, "c"), pages.free()), (None, 0), "all are drawn");
        pages.begin_frame();
        assert_eq!(pages.draw(9), Some((1, &"b")));
        assert_eq!(pages.write(3, "c"), Some(0), "the other is not drawn any more");
        assert_eq!(pages.draw(7), None);
        pages.begin_frame();
        assert_eq!(pages.write(9, "d"), Some(1), "what is written again keeps its page");
        assert_eq!(pages.draw(9), Some((1, &"d")));
        assert_eq!(pages.write(7, "a"), Some(0));
    }

    #[test]
    fn without_pages_nothing_has_one() {
        let mut pages = PageTable::new(0);
        pages.begin_frame();
        assert_eq!(pages.draw(1), None);
        assert_eq!(pages.write(1, ()), None);
    }
}
