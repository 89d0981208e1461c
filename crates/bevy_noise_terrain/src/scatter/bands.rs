//! Which kinds are placed in narrow cells near by and which in wide ones towards the horizon.
//!
//! Trees that are seen far are placed twice: one by one in narrow cells, and again, rarer, wider and as a few triangles
//! each, in wide cells. Between [`EXCHANGE`] of the near reach and all of it the ones vanish as the others appear, each
//! in its own order.

use super::pages::{Reach, pages_in_reach};
use super::placement::{Instance, Lattice};
use super::settings::{ScatterKind, ScatterShape};

/// Metres to which what is seen further is drawn one by one.
const NEAR: f32 = 1_200.0;
/// Share of the near reach from which on the far objects appear. `scatter.wgsl` knows it.
const EXCHANGE: f32 = 0.75;
/// Far objects, as a share of the near ones; they are wider for it.
const FAR_DENSITY: f32 = 0.4;
/// Their width: what they cover stays about the same.
const FAR_WIDTH: f32 = 1.45;
/// Cells within reach along one axis, so that their number has a bound.
const FURTHEST: f64 = 64.0;

/// Narrow cells near by, wide ones beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    Near,
    Far,
}

/// What a band shows of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    pub band: Band,
    /// The kind's number in the settings.
    pub index: usize,
    /// As it is placed in this band.
    pub kind: ScatterKind,
    pub reach: Reach,
}

fn is_seen_far(kind: &ScatterKind) -> bool {
    matches!(kind.shape, ScatterShape::Conifer | ScatterShape::Broadleaf) && kind.distance > NEAR
}

/// How far what is drawn one by one is seen at most in cells of `width` metres.
fn near_reach(width: f64) -> f32 {
    NEAR.min((FURTHEST * width) as f32)
}

/// Where the first far objects are seen, if near cells are `width` metres wide.
pub fn far_from(width: f64) -> f32 {
    EXCHANGE * near_reach(width)
}

/// What is shown in narrow cells of `width` metres, and in wide ones.
pub fn shares(kinds: &[ScatterKind], width: f64, wide: f64) -> Vec<Share> {
    let near = kinds.iter().enumerate().map(|(index, kind)| {
        let reach = if is_seen_far(kind) {
            Reach { from: 0.0, to: near_reach(width), full_share: EXCHANGE, widen: 0.0 }
        } else {
            Reach {
                from: 0.0,
                to: kind.distance.min((FURTHEST * width) as f32),
                full_share: kind.full_share,
                widen: 1.0,
            }
        };
        Share { band: Band::Near, index, kind: kind.clone(), reach }
    });
    let far = kinds.iter().enumerate().filter(|(_, kind)| is_seen_far(kind)).map(|(index, kind)| {
        let to = kind.distance.min((FURTHEST * wide) as f32);
        let reach = Reach { from: far_from(width), to, full_share: kind.full_share, widen: FAR_WIDTH };
        let density = FAR_DENSITY * kind.density;
        Share { band: Band::Far, index, kind: ScatterKind { density, ..kind.clone() }, reach }
    });
    near.chain(far).collect()
}

/// What a layer could use: cells of `width` metres out to `reach`.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    pub reach: f32,
    pub lattice: Lattice,
    pub width: f64,
}

/// Pages of each layer: all that viewers can need, or the same share of it for all if that is more than `bytes`.
/// No layer has more than `buffer` bytes.
pub fn share_pages(needs: &[Need], viewers: usize, bytes: u64, buffer: u64) -> Vec<u32> {
    let page = |need: &Need| u64::from(need.lattice.capacity()) * size_of::<Instance>() as u64;
    let needed = |need: &Need| u64::from(pages_in_reach(need.reach, need.lattice, need.width)) * viewers.max(1) as u64;
    let all: u64 = needs.iter().map(|need| needed(need) * page(need)).sum();
    let share = (bytes as f64 / all.max(1) as f64).min(1.0);
    let pages = needs.iter().map(|need| {
        let pages = ((needed(need) as f64 * share) as u64).min(buffer / page(need));
        pages.clamp(1, u64::from(u32::MAX)) as u32
    });
    pages.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_handed_on_to_the_wide_cells() {
        let tree = ScatterKind { distance: 5_000.0, full_share: 0.3, ..ScatterKind::conifer() };
        let shrub = ScatterKind { distance: 600.0, ..ScatterKind::broadleaf() };
        let shares = shares(&[ScatterKind::grass(), tree.clone(), shrub], 64.0, 256.0);
        let what: Vec<_> = shares.iter().map(|share| (share.band, share.index)).collect();
        assert_eq!(what, [(Band::Near, 0), (Band::Near, 1), (Band::Near, 2), (Band::Far, 1)]);
        let (near, far) = (&shares[1], &shares[3]);
        assert_eq!(near.reach.to * near.reach.full_share, far.reach.from, "as the ones vanish the others appear");
        assert_eq!((far.reach.to, far.reach.full_share), (5_000.0, 0.3));
        assert!(far.kind.density < near.kind.density && near.kind == tree);
        assert_eq!(shares[2].reach, Reach { from: 0.0, to: 600.0, full_share: 0.3, widen: 1.0 });
    }

    #[test]
    fn the_shader_hands_on_where_the_bands_do() {
        let line = format!("const LAST: f32 = {:.7};", 1.0 / EXCHANGE);
        assert!(include_str!("scatter.wgsl").contains(&line), "scatter.wgsl has no `{line}`");
    }

    #[test]
    fn narrow_cells_do_not_reach_far() {
        let tree = ScatterKind { distance: 20_000.0, ..ScatterKind::conifer() };
        let shares = shares(&[tree], 8.0, 64.0);
        assert_eq!(shares[0].reach.to, 512.0);
        assert_eq!((shares[1].reach.from, shares[1].reach.to), (384.0, 4_096.0));
    }

    #[test]
    fn memory_is_shared_fairly() {
        let need = |reach, side| Need { reach, lattice: Lattice { blocks: 1, side }, width: 64.0 };
        let needs = [need(200.0, 20), need(1_200.0, 10)];
        let plenty = share_pages(&needs, 1, u64::MAX / 2, u64::MAX);
        assert_eq!(plenty, needs.map(|need| pages_in_reach(need.reach, need.lattice, need.width)));
        let scarce = share_pages(&needs, 1, 400_000, u64::MAX);
        let bytes: u64 =
            scarce.iter().zip(&needs).map(|(&pages, need)| u64::from(pages * need.lattice.capacity()) * 16).sum();
        assert!(bytes <= 400_000 && bytes > 350_000, "{bytes}");
        assert_eq!(share_pages(&needs, 1, u64::MAX / 2, 64_000), [10, 40]);
    }
}
