//! Changes to the structure of a noise tree, as pure functions. Nodes are identified by their paths.

use terrain_noise::{NodeKind, Noise, ParamMut};

/// The path from the root to a node: the index of the operand at each step.
pub type Path = Vec<usize>;

/// A change to the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Replaces the node and all below it.
    Replace(Noise),
    /// Changes the kind of the node; operands and parameters of the same name stay.
    Become(&'static NodeKind),
    /// Replaces the node by a new one of a kind, with the node as its first operand.
    Wrap(&'static NodeKind),
    /// Replaces the node by the sum of it and a copy with different seeds.
    Duplicate,
    /// Replaces the node by its first operand; without operands, replaces its parent by its sibling.
    Remove,
    /// Swaps the node with its parent: it is then applied to the parent's result.
    Raise,
    /// Swaps the node with the previous operand.
    Earlier,
    /// Swaps the node and all below it with another and all below that.
    Swap(Path),
}

/// The node at a path.
pub fn get<'a>(root: &'a Noise, path: &[usize]) -> Option<&'a Noise> {
    path.iter().try_fold(root, |noise, &index| noise.operands().into_iter().nth(index).map(|(_, operand)| operand))
}

fn get_mut<'a>(root: &'a mut Noise, path: &[usize]) -> Option<&'a mut Noise> {
    path.iter().try_fold(root, |noise, &index| noise.operands_mut().into_iter().nth(index).map(|(_, operand)| operand))
}

/// Why a change is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    #[error("there is no node at this place")]
    NoNode,
    #[error("the only node cannot be removed; choose another kind instead")]
    OnlyNode,
    #[error("there is no node above this one to swap with")]
    NothingAbove,
    #[error("a source has no operand, so it cannot be applied to the node above")]
    NothingBelow,
    #[error("there is no operand before this one")]
    NothingBefore,
    #[error("one of the two nodes is below the other")]
    Within,
}

/// Makes a change.
///
/// # Errors
/// If the change is impossible; the tree stays as it is.
pub fn change(root: &mut Noise, path: &[usize], change: &Change) -> Result<(), TreeError> {
    match change {
        Change::Replace(noise) => put(root, path, |_| noise.clone()),
        Change::Become(kind) => put(root, path, |old| become_kind(old, kind)),
        Change::Wrap(kind) => put(root, path, |old| kind.over(old)),
        Change::Duplicate => put(root, path, |old| {
            let mut copy = old.clone();
            shift_seeds(&mut copy);
            terrain_noise::Add::new(old, copy).into()
        }),
        Change::Remove => remove(root, path),
        Change::Raise => raise(root, path),
        Change::Earlier => earlier(root, path),
        Change::Swap(other) => swap(root, path, other),
    }
}

/// Replaces the node at a path by the result of `make`.
fn put(root: &mut Noise, path: &[usize], make: impl FnOnce(Noise) -> Noise) -> Result<(), TreeError> {
    let node = get_mut(root, path).ok_or(TreeError::NoNode)?;
    let old = std::mem::replace(node, Noise::from(0.0));
    *node = make(old);
    Ok(())
}

fn remove(root: &mut Noise, path: &[usize]) -> Result<(), TreeError> {
    let node = get(root, path).ok_or(TreeError::NoNode)?;
    if let Some((_, first)) = node.operands().first() {
        let first = (*first).clone();
        return put(root, path, |_| first);
    }
    let (index, above) = path.split_last().ok_or(TreeError::OnlyNode)?;
    let parent = get(root, above).ok_or(TreeError::NoNode)?;
    let sibling = parent.operands().into_iter().enumerate().find(|(other, _)| other != index);
    match sibling {
        Some((_, (_, sibling))) => {
            let sibling = sibling.clone();
            put(root, above, |_| sibling)
        }
        // The only operand of its parent: the parent is removed too.
        None if above.is_empty() => Err(TreeError::OnlyNode),
        None => remove_branch(root, above),
    }
}

/// Removes a node with all that is below it.
fn remove_branch(root: &mut Noise, path: &[usize]) -> Result<(), TreeError> {
    let mut without = root.clone();
    put(&mut without, path, |_| Noise::from(0.0))?;
    remove(&mut without, path)?;
    *root = without;
    Ok(())
}

/// `P(N(x))` becomes `N(P(x))`.
fn raise(root: &mut Noise, path: &[usize]) -> Result<(), TreeError> {
    let (&index, above) = path.split_last().ok_or(TreeError::NothingAbove)?;
    let node = get(root, path).ok_or(TreeError::NoNode)?;
    let Some((_, below)) = node.operands().first().copied() else { return Err(TreeError::NothingBelow) };
    let (mut node, below) = (node.clone(), below.clone());
    put(root, above, |mut parent| {
        if let Some((_, operand)) = parent.operands_mut().into_iter().nth(index) {
            *operand = below;
        }
        if let Some((_, operand)) = node.operands_mut().into_iter().next() {
            *operand = parent;
        }
        node
    })
}

fn earlier(root: &mut Noise, path: &[usize]) -> Result<(), TreeError> {
    let (&index, above) = path.split_last().ok_or(TreeError::NothingBefore)?;
    let parent = get_mut(root, above).ok_or(TreeError::NoNode)?;
    let mut operands = parent.operands_mut().into_iter().map(|(_, operand)| operand).skip(index.wrapping_sub(1));
    let (before, node) = operands.next().zip(operands.next()).ok_or(TreeError::NothingBefore)?;
    std::mem::swap(before, node);
    Ok(())
}

fn swap(root: &mut Noise, a: &[usize], b: &[usize]) -> Result<(), TreeError> {
    if a.starts_with(b) || b.starts_with(a) {
        return Err(TreeError::Within);
    }
    let one = get(root, a).ok_or(TreeError::NoNode)?.clone();
    let other = get(root, b).ok_or(TreeError::NoNode)?.clone();
    put(root, a, |_| other)?;
    put(root, b, |_| one)
}

fn become_kind(old: Noise, kind: &NodeKind) -> Noise {
    let first = old.operands().first().map(|(_, noise)| (*noise).clone());
    // A source becomes the first operand of the new node.
    let mut new = kind.over(first.unwrap_or_else(|| old.clone()));
    for ((_, new), (_, old)) in new.operands_mut().into_iter().zip(old.operands()).skip(1) {
        *new = old.clone();
    }
    let kept = values(&old);
    set_values(&mut new, &kept);
    new
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Integer(u32),
    Seed(u64),
    Points(Vec<[f64; 2]>),
    Choice(&'static [&'static str], usize),
}

impl Value {
    pub fn of(param: &ParamMut<'_>) -> Self {
        match param {
            ParamMut::Number(value) => Self::Number(**value),
            ParamMut::Integer(value) => Self::Integer(**value),
            ParamMut::Seed(value) => Self::Seed(**value),
            ParamMut::Points(points) => Self::Points((*points).clone()),
            ParamMut::Choice(choice) => Self::Choice(choice.names(), choice.index()),
        }
    }

    /// Writes the value into a parameter of the same kind.
    pub fn put(&self, param: ParamMut<'_>) {
        match (self, param) {
            (Self::Number(value), ParamMut::Number(to)) => *to = *value,
            (Self::Integer(value), ParamMut::Integer(to)) => *to = *value,
            (Self::Seed(value), ParamMut::Seed(to)) => *to = *value,
            (Self::Points(points), ParamMut::Points(to)) => to.clone_from(points),
            (Self::Choice(names, index), ParamMut::Choice(to)) if to.names() == *names => to.choose(*index),
            _ => {}
        }
    }
}

/// The parameters of a node, by name.
pub fn values(noise: &Noise) -> Vec<(&'static str, Value)> {
    let mut values = Vec::new();
    // Parameters are only accessible for editing.
    let mut copy = noise.clone();
    copy.edit_params(|info, param| values.push((info.name, Value::of(&param))));
    values
}

/// Sets every parameter that has one of the names. Runs twice, as some parameters exist only after a choice is made.
fn set_values(noise: &mut Noise, values: &[(&'static str, Value)]) {
    for _ in 0..2 {
        noise.edit_params(|info, param| {
            if let Some((_, value)) = values.iter().find(|(name, _)| *name == info.name) {
                // Parameters of different nodes may share a name but not their range. Setting a choice again would
                // reset the parameters that belong to it.
                let fits = !matches!(value, Value::Number(number) if !(info.min..=info.max).contains(number));
                if fits && Value::of(&param) != *value {
                    value.put(param);
                }
            }
        });
    }
}

/// Makes the seeds of a copy differ from those of its original.
fn shift_seeds(noise: &mut Noise) {
    noise.edit_params(|_, param| {
        if let ParamMut::Seed(seed) = param {
            *seed = seed.wrapping_add(1_000);
        }
    });
    for (_, operand) in noise.operands_mut() {
        shift_seeds(operand);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use terrain_noise::{Compose, constant, perlin, simplex, value};

    fn kind(name: &str) -> &'static NodeKind {
        Noise::kinds().iter().find(|kind| kind.name == name).unwrap()
    }

    fn changed(root: &Noise, path: &[usize], what: &Change) -> Result<Noise, TreeError> {
        let mut root = root.clone();
        change(&mut root, path, what).map(|()| root)
    }

    fn paths(noise: &Noise) -> Vec<Path> {
        let mut all = vec![vec![]];
        for (index, (_, operand)) in noise.operands().into_iter().enumerate() {
            all.extend(paths(operand).into_iter().map(|path| [vec![index], path].concat()));
        }
        all
    }

    #[test]
    fn wrapping_and_removing_undo_each_other() {
        let tree = perlin().fbm().scale(300.0).add(simplex());
        let wrapped = changed(&tree, &[0], &Change::Wrap(kind("Terrace"))).unwrap();
        assert_eq!(get(&wrapped, &[0]).unwrap().name(), "Terrace");
        assert_eq!(get(&wrapped, &[0, 0]), get(&tree, &[0]));
        assert_eq!(changed(&wrapped, &[0], &Change::Remove).unwrap(), tree);
    }

    #[test]
    fn a_removed_leaf_is_replaced_by_its_sibling() {
        let tree = perlin().fbm().add(simplex());
        assert_eq!(changed(&tree, &[0], &Change::Remove).unwrap(), simplex().into());
        assert_eq!(changed(&tree, &[1], &Change::Remove).unwrap(), perlin().fbm().into());
        let alone = perlin().abs();
        assert_eq!(changed(&alone, &[0], &Change::Remove), Err(TreeError::OnlyNode));
        assert_eq!(changed(&simplex().into(), &[], &Change::Remove), Err(TreeError::OnlyNode));
        let branch = perlin().abs().scale(2.0).add(simplex());
        assert_eq!(changed(&branch, &[0, 0, 0], &Change::Remove).unwrap(), simplex().into());
    }

    #[test]
    fn a_node_rises_over_the_one_above() {
        let tree = perlin().abs().scale(3.0);
        assert_eq!(changed(&tree, &[0], &Change::Raise).unwrap(), perlin().scale(3.0).abs());
        assert_eq!(changed(&tree, &[], &Change::Raise), Err(TreeError::NothingAbove));
        assert_eq!(changed(&tree, &[0, 0], &Change::Raise), Err(TreeError::NothingBelow));
        let side = simplex().add(perlin().abs());
        assert_eq!(changed(&side, &[1], &Change::Raise).unwrap(), simplex().add(perlin()).abs());
    }

    #[test]
    fn operands_change_places() {
        let tree = perlin().blend(simplex(), value());
        assert_eq!(changed(&tree, &[1], &Change::Earlier).unwrap(), simplex().blend(perlin(), value()));
        assert_eq!(changed(&tree, &[2], &Change::Earlier).unwrap(), perlin().blend(value(), simplex()));
        assert_eq!(changed(&tree, &[0], &Change::Earlier), Err(TreeError::NothingBefore));
        assert_eq!(changed(&tree, &[3], &Change::Earlier), Err(TreeError::NothingBefore));
    }

    #[test]
    fn branches_change_places() {
        let tree = perlin().abs().add(simplex().scale(2.0));
        assert_eq!(changed(&tree, &[0, 0], &Change::Swap(vec![1])).unwrap(), simplex().scale(2.0).abs().add(perlin()));
        assert_eq!(changed(&tree, &[0, 0], &Change::Swap(vec![0])), Err(TreeError::Within));
        assert_eq!(changed(&tree, &[0], &Change::Swap(vec![7])), Err(TreeError::NoNode));
    }

    #[test]
    fn another_kind_keeps_operands_and_parameters() {
        let tree = Noise::from(simplex().feature_size(321.0).seed(9));
        let fractal = changed(&tree, &[], &Change::Become(kind("Fractal"))).unwrap();
        assert_eq!(fractal, simplex().feature_size(321.0).seed(9).fbm().into());
        let sum = perlin().abs().add(simplex());
        let product = changed(&sum, &[], &Change::Become(kind("Mul"))).unwrap();
        assert_eq!(product, perlin().abs().mul(simplex()));
        assert_eq!(changed(&sum, &[], &Change::Become(kind("Abs"))).unwrap(), perlin().abs().abs());
        let warp = changed(&perlin().warp(simplex(), 500.0), &[], &Change::Become(kind("Bias"))).unwrap();
        assert!(warp.validate().is_ok(), "an amount of 500 is none for Bias");
    }

    #[test]
    fn a_duplicate_has_different_seeds() {
        let twice = changed(&perlin().seed(4).abs(), &[], &Change::Duplicate).unwrap();
        assert_eq!(twice, perlin().seed(4).abs().add(perlin().seed(1_004).abs()));
    }

    #[test]
    fn a_missing_node_is_an_error() {
        let tree = constant(1.0);
        assert_eq!(changed(&tree, &[0], &Change::Duplicate), Err(TreeError::NoNode));
    }

    proptest! {
        #[test]
        fn any_changes_leave_a_tree_that_can_be_built(
            steps in prop::collection::vec((0usize..8, any::<prop::sample::Index>(), 0..Noise::kinds().len()), 0..20),
        ) {
            let mut tree = Noise::from(perlin().fbm().octaves(2));
            for (action, place, kind) in steps {
                let paths = paths(&tree);
                let path = &paths[place.index(paths.len())];
                let kind = &Noise::kinds()[kind];
                let action = match action {
                    0 => Change::Replace(simplex().into()),
                    1 => Change::Become(kind),
                    2 if paths.len() < 40 && path.len() < 8 => Change::Wrap(kind),
                    3 if paths.len() < 40 && path.len() < 8 => Change::Duplicate,
                    4 => Change::Raise,
                    5 => Change::Earlier,
                    6 => Change::Swap(paths[place.index(paths.len().div_ceil(2))].clone()),
                    _ => Change::Remove,
                };
                let before = tree.clone();
                if change(&mut tree, path, &action).is_err() {
                    prop_assert_eq!(&tree, &before);
                }
            }
            // Only the limits of depth, size and cost may be exceeded: validation of the draft rejects those.
            if let Err(error) = tree.validate() {
                prop_assert!(error.to_string().contains("at most"), "{}", error);
            }
        }
    }
}
