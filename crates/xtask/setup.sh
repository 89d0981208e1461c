#!/bin/sh
# Installs what a build, a picture or a window takes, where the system lacks it and has apt-get:
#
#     setup.sh compiler|build|pictures|window|everything
#     setup.sh valgrind
#
# Each word of the first line includes the ones before it. Tests that count instructions take valgrind, and are skipped
# without it. Nothing is run as root, and no network is used, where all is there already.
# With XTASK_NO_INSTALL=1 nothing is installed. See docs/building.md for systems without apt-get.
set -u
wanted=${1:-everything}
pkg_config=${PKG_CONFIG:-pkg-config}
# ldconfig and Xvfb may lie where a plain user's path does not lead.
PATH=$PATH:/usr/sbin:/sbin

# Is there a file of this name in one of these folders, which colons part? A file among them stands for itself.
find_in() {
    # shellcheck disable=SC2086 # a list, split at the colons
    (IFS=: && find -L $1 -maxdepth 1 -name "$2" | grep -q .)
}

# Can programs load these shared libraries?
libraries() {
    for library; do
        ldconfig -p | grep -q "^[[:space:]]*$library " ||
            find_in "${LD_LIBRARY_PATH:-}:/usr/lib:/usr/lib64" "$library" || return 1
    done
}

# Does the Vulkan loader find a driver's manifest? A variable that names some counts alone.
vulkan_driver() {
    defaults=/etc/vulkan/icd.d:/usr/share/vulkan/icd.d:/usr/local/share/vulkan/icd.d
    defaults=$defaults:/run/opengl-driver/share/vulkan/icd.d:${HOME:-}/.local/share/vulkan/icd.d
    drivers=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-$defaults:${VK_ADD_DRIVER_FILES:-}}}
    libraries libvulkan.so.1 && find_in "$drivers" '*.json'
}

# need NAME PACKAGES TEST...: adds to what is missing if the test fails.
need() {
    name=$1 brought_by=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing="$missing${missing:+, }$name"
    packages="$packages $brought_by"
}

look() {
    missing='' packages=''
    [ "$wanted" = valgrind ] && { need 'valgrind' valgrind valgrind --version; return; }
    need 'a C compiler' 'gcc libc6-dev' command -v cc
    [ "$wanted" = compiler ] && return
    need 'pkg-config' pkg-config "$pkg_config" --version
    need 'the Wayland headers' libwayland-dev "$pkg_config" --exists wayland-client
    [ "$wanted" = build ] && return
    need 'a Vulkan driver' 'libvulkan1 mesa-vulkan-drivers' vulkan_driver
    [ "$wanted" = pictures ] && return
    # What winit loads when it opens a window under X11.
    need 'the X11 libraries' 'libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0' \
        libraries libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libxkbcommon-x11.so.0
    [ "$wanted" = window ] && return
    # The step `readme` builds Bevy with its default features, and watches a window on a virtual display.
    need 'the ALSA headers' libasound2-dev "$pkg_config" --exists alsa
    need 'the udev headers' libudev-dev "$pkg_config" --exists libudev
    need 'Xvfb' xvfb command -v Xvfb
    need 'xdotool' xdotool command -v xdotool
    need 'ImageMagick' imagemagick command -v import
}

stop() {
    echo "Missing on this system: $missing." >&2
    echo "$1" >&2
    exit 1
}

apt_get() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 \
        -o Acquire::Retries=3 "$@" </dev/null >&2 9<&-
}

# shellcheck disable=SC2086 # a list of words
install() {
    apt_get install -y --no-install-recommends $packages
}

look
[ -z "$missing" ] && exit 0
command -v apt-get >/dev/null || stop 'Install them and run this again; docs/building.md says what your system calls them.'
by_hand="Run: sudo apt-get update && sudo apt-get install --no-install-recommends$packages"
[ -n "${XTASK_NO_INSTALL:-}" ] && stop "Nothing is installed, as asked. $by_hand"
if [ "$(id -u)" = 0 ]; then
    sudo=''
elif sudo -n true 2>/dev/null; then
    sudo='sudo -n'
else
    stop "Installing needs root, or sudo without a password. $by_hand"
fi

# Cargo links several programs at once, and each may ask for a compiler: the first installs, the others wait.
exec 9<"$0"
flock 9
look
[ -z "$missing" ] && exit 0
echo "Missing on this system: $missing. Installing:$packages" >&2
# A fresh container has no package lists, and old ones name packages that are gone.
{ ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 && install; } ||
    { apt_get update && install; } ||
    stop "apt-get could not install them. $by_hand"
look
[ -z "$missing" ] || stop 'The packages were installed without an error, yet these are not found.'
