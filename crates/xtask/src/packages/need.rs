//! The things needed, and what they are called in each system.

use super::manager::Manager;
use super::probe::System;

/// Something the system must offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A C compiler: Rust links with it.
    Compiler,
    /// `pkg-config`: how a build script finds the Wayland library.
    PkgConfig,
    /// The Wayland client library with its headers: Bevy's windows link it.
    Wayland,
    /// The ALSA library with its headers: Bevy's sound links it, by default.
    Alsa,
    /// The udev library with its headers: Bevy's gamepads link it, by default.
    Udev,
    /// The Vulkan loader and a driver, in software if there is no other: pictures come from it.
    Vulkan,
    /// The libraries a window under X11 loads when it opens.
    WindowLibraries,
    /// A virtual display, for windows where there is no screen.
    VirtualDisplay,
    /// `xdotool`, which moves the pointer and types on that display.
    Pointer,
    /// `import` of ImageMagick, which takes pictures of it.
    Camera,
}

impl Need {
    /// What building the workspace takes.
    pub const BUILD: &[Self] = &[Self::Compiler, Self::PkgConfig, Self::Wayland];
    /// What building Bevy with its default features takes besides.
    pub const DEFAULT_BEVY: &[Self] = &[Self::Alsa, Self::Udev];
    /// What the headless flight takes, so that it makes pictures.
    pub const PICTURES: &[Self] = &[Self::Vulkan];
    /// What a window on a virtual display takes.
    pub const WINDOW: &[Self] =
        &[Self::Vulkan, Self::WindowLibraries, Self::VirtualDisplay, Self::Pointer, Self::Camera];

    /// Its name in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compiler => "a C compiler",
            Self::PkgConfig => "pkg-config",
            Self::Wayland => "the Wayland headers",
            Self::Alsa => "the ALSA headers",
            Self::Udev => "the udev headers",
            Self::Vulkan => "a Vulkan driver",
            Self::WindowLibraries => "the X11 window libraries",
            Self::VirtualDisplay => "a virtual display (Xvfb)",
            Self::Pointer => "xdotool",
            Self::Camera => "ImageMagick",
        }
    }

    /// Is it there?
    pub fn is_met(self, system: &System) -> bool {
        match self {
            Self::Compiler => system.has_program("cc"),
            Self::PkgConfig => system.has_pkg_config(),
            Self::Wayland => system.pkg_config_knows("wayland-client"),
            Self::Alsa => system.pkg_config_knows("alsa"),
            Self::Udev => system.pkg_config_knows("libudev"),
            Self::Vulkan => system.has_library("libvulkan.so.1") && system.has_vulkan_driver(),
            Self::WindowLibraries => WINDOW_LIBRARIES.iter().all(|name| system.has_library(name)),
            Self::VirtualDisplay => system.has_program("Xvfb"),
            Self::Pointer => system.has_program("xdotool"),
            Self::Camera => system.has_program("import"),
        }
    }

    /// The packages that bring it.
    pub const fn packages(self, manager: Manager) -> &'static [&'static str] {
        use Manager::{Apt, Dnf, Pacman, Unknown, Zypper};
        match (self, manager) {
            (Self::Compiler, Apt | Unknown) => &["gcc", "libc6-dev"],
            (Self::Compiler, Dnf | Pacman | Zypper) => &["gcc"],
            (Self::PkgConfig, Apt | Unknown) => &["pkg-config"],
            (Self::PkgConfig, Dnf | Zypper) => &["pkgconf-pkg-config"],
            (Self::PkgConfig, Pacman) => &["pkgconf"],
            (Self::Wayland, Apt | Unknown) => &["libwayland-dev"],
            (Self::Wayland, Dnf | Zypper) => &["wayland-devel"],
            (Self::Wayland, Pacman) => &["wayland"],
            (Self::Alsa, Apt | Unknown) => &["libasound2-dev"],
            (Self::Alsa, Dnf | Zypper) => &["alsa-lib-devel"],
            (Self::Alsa, Pacman) => &["alsa-lib"],
            (Self::Udev, Apt | Unknown) => &["libudev-dev"],
            (Self::Udev, Dnf) => &["systemd-devel"],
            (Self::Udev, Zypper) => &["libudev-devel"],
            (Self::Udev, Pacman) => &["systemd-libs"],
            (Self::Vulkan, Apt | Unknown) => &["libvulkan1", "mesa-vulkan-drivers"],
            (Self::Vulkan, Dnf) => &["vulkan-loader", "mesa-vulkan-drivers"],
            (Self::Vulkan, Pacman) => &["vulkan-icd-loader", "vulkan-swrast"],
            (Self::Vulkan, Zypper) => &["libvulkan1", "libvulkan_lvp"],
            (Self::WindowLibraries, Apt | Unknown) => {
                &["libx11-6", "libx11-xcb1", "libxcursor1", "libxi6", "libxkbcommon-x11-0"]
            }
            (Self::WindowLibraries, Dnf | Pacman) => &["libX11", "libXcursor", "libXi", "libxkbcommon-x11"],
            (Self::WindowLibraries, Zypper) => &["libX11-6", "libXcursor1", "libXi6", "libxkbcommon-x11-0"],
            (Self::VirtualDisplay, Apt | Unknown) => &["xvfb"],
            (Self::VirtualDisplay, Dnf | Zypper) => &["xorg-x11-server-Xvfb"],
            (Self::VirtualDisplay, Pacman) => &["xorg-server-xvfb"],
            (Self::Pointer, _) => &["xdotool"],
            (Self::Camera, Apt | Unknown | Pacman) => &["imagemagick"],
            (Self::Camera, Dnf | Zypper) => &["ImageMagick"],
        }
    }
}

/// What winit loads by name when it opens a window under X11.
const WINDOW_LIBRARIES: &[&str] =
    &["libX11.so.6", "libX11-xcb.so.1", "libXcursor.so.1", "libXi.so.6", "libxkbcommon-x11.so.0"];

/// "a, b and c are", to be followed by "missing".
pub fn sentence(needs: &[Need]) -> String {
    let names: Vec<_> = needs.iter().map(|need| need.name()).collect();
    match names.as_slice() {
        [] => "nothing is".to_owned(),
        [one] => format!("{one} is"),
        [most @ .., last] => format!("{} and {last} are", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_reads_as_a_sentence() {
        assert_eq!(sentence(&[Need::Vulkan]), "a Vulkan driver is");
        assert_eq!(
            sentence(&[Need::Compiler, Need::PkgConfig, Need::Wayland]),
            "a C compiler, pkg-config and the Wayland headers are"
        );
    }
}
