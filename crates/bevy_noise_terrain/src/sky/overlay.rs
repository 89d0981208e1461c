//! Warns of cameras that would hide the land behind what they draw.

use bevy::camera::{CameraOutputMode, Hdr, RenderTarget};
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use super::TerrainSkyView;

/// Whether Bevy writes all of what `top` draws over what `sky`, a camera of another format, has drawn into the same target.
fn hides(top: &Camera, sky: &Camera) -> bool {
    let is_written_over_all =
        top.viewport.is_none() && matches!(top.output_mode, CameraOutputMode::Write { blend_state: None, .. });
    top.is_active && sky.is_active && top.order > sky.order && is_written_over_all
}

/// Cameras that hide what a camera with a sky draws, because they are not HDR as it is.
pub(super) fn find_hiding_cameras(
    skies: Query<(&Camera, &RenderTarget), (With<TerrainSkyView>, With<Hdr>)>,
    others: Query<(Entity, &Camera, &RenderTarget), Without<Hdr>>,
    window: Query<Entity, With<PrimaryWindow>>,
) -> Vec<Entity> {
    let window = window.iter().next();
    let is_hiding = |top: &Camera, target: &RenderTarget| {
        let target = target.normalize(window);
        skies.iter().any(|(sky, own)| hides(top, sky) && target.is_some() && own.normalize(window) == target)
    };
    others.iter().filter(|(_, top, target)| is_hiding(top, target)).map(|(entity, ..)| entity).collect()
}

/// Warns of each camera once.
pub(super) fn warn_of_them(In(cameras): In<Vec<Entity>>, mut known: Local<EntityHashSet>) {
    for camera in cameras {
        if known.insert(camera) {
            warn!(
                "camera {camera} hides the land: it draws on top of a camera with `TerrainSkyView`, which is HDR, and Bevy \
                 blends only cameras of the same format. Insert `Hdr` into it, or set a `blend_state` in its `output_mode`."
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::ecs::system::RunSystemOnce;
    use bevy::render::render_resource::BlendState;

    #[test]
    fn only_cameras_that_hide_the_land_are_found() {
        let mut world = World::new();
        world.spawn((Window::default(), PrimaryWindow));
        let top = || Camera { order: 1, ..default() };
        world.spawn(TerrainSkyView::default());
        let hiding = world.spawn((Camera3d::default(), top())).id();
        world.spawn((Camera3d::default(), Hdr, top()));
        world.spawn((Camera3d::default(), Camera { order: -1, ..default() }));
        world.spawn((Camera3d::default(), Camera { is_active: false, ..top() }));
        world.spawn((Camera3d::default(), Camera { viewport: Some(default()), ..top() }));
        world.spawn((Camera3d::default(), top(), RenderTarget::Image(Handle::<Image>::default().into())));
        let blended = CameraOutputMode::Write {
            blend_state: Some(BlendState::ALPHA_BLENDING),
            clear_color: ClearColorConfig::None,
        };
        world.spawn((Camera3d::default(), Camera { output_mode: blended, ..top() }));
        assert_eq!(world.run_system_once(find_hiding_cameras).unwrap(), [hiding]);
    }
}
