//! Two bands: kinds are placed in narrow cells near viewers, and trees again in wide cells towards the horizon.
//!
//! Trees that are visible from afar are placed twice: in narrow cells, and again in wide cells, sparser, wider and as a
//! few triangles each. Between [`EXCHANGE`] of the near reach and all of it the near trees disappear one by one while
//! the far ones appear.

use super::pages::{Reach, pages_in_reach};
use crate::scatter::placement::{Instance, Lattice};
use crate::scatter::settings::ScatterKind;
use crate::scatter::shape::ScatterShape;

/// Reach of the near band, in metres, for kinds that the far band continues.
const NEAR: f32 = 1_200.0;
/// Fraction of the near reach at which far objects begin to appear; must match `scatter.wesl`.
pub const EXCHANGE: f32 = 0.75;
/// Density of far objects relative to near ones.
const FAR_DENSITY: f32 = 0.4;
/// Width of far objects relative to near ones: keeps the covered area about the same.
const FAR_WIDTH: f32 = 1.45;
/// Limits the reach of a band to this many cells.
const FURTHEST: f64 = 64.0;

/// Narrow cells near viewers, wide ones beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    Near,
    Far,
}

/// A kind's part in a band.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    pub band: Band,
    /// The kind's index in the settings.
    pub index: usize,
    /// The kind with the density of this band.
    pub kind: ScatterKind,
    pub reach: Reach,
}

fn is_seen_far(kind: &ScatterKind) -> bool {
    matches!(kind.shape, ScatterShape::Conifer | ScatterShape::Broadleaf) && kind.distance > NEAR
}

/// The near band's reach for kinds in both bands, in cells of `width` metres.
fn near_reach(width: f64) -> f32 {
    NEAR.min((FURTHEST * width) as f32)
}

/// Distance at which far objects begin to appear, if near cells are `width` metres wide.
pub fn far_from(width: f64) -> f32 {
    EXCHANGE * near_reach(width)
}

/// The kinds' parts in both bands, with cells `width` and `wide` metres wide.
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

/// What a layer needs at most: cells of `width` metres out to `reach`.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    pub reach: f32,
    pub lattice: Lattice,
    pub width: f64,
}

/// Pages of each layer: all that the viewers can need, or an equal fraction of it for each layer if that exceeds
/// `bytes`. No layer gets more than `buffer` bytes.
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
    fn far_trees_continue_in_wide_cells() {
        let tree = ScatterKind { distance: 5_000.0, full_share: 0.3, ..ScatterKind::conifer() };
        let shrub = ScatterKind { distance: 600.0, ..ScatterKind::broadleaf() };
        let shares = shares(&[ScatterKind::grass(), tree.clone(), shrub], 64.0, 256.0);
        let what: Vec<_> = shares.iter().map(|share| (share.band, share.index)).collect();
        assert_eq!(what, [(Band::Near, 0), (Band::Near, 1), (Band::Near, 2), (Band::Far, 1)]);
        let (near, far) = (&shares[1], &shares[3]);
        assert_eq!(near.reach.to * near.reach.full_share, far.reach.from, "far ones appear as near ones disappear");
        assert_eq!((far.reach.to, far.reach.full_share), (5_000.0, 0.3));
        assert!(far.kind.density < near.kind.density && near.kind == tree);
        assert_eq!(shares[2].reach, Reach { from: 0.0, to: 600.0, full_share: 0.3, widen: 1.0 });
    }

    #[test]
    fn the_shader_exchanges_where_the_bands_do() {
        let line = format!("const LAST: f32 = {:.7};", 1.0 / EXCHANGE);
        assert!(include_str!("scatter.wesl").contains(&line), "scatter.wesl has no `{line}`");
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
        let need = |reach, side| Need { reach, lattice: Lattice { candidates: side, side }, width: 64.0 };
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
