#!/bin/sh
# After the deb is unpacked. electron-builder fills in the names. It replaces the script that electron-builder would use, so
# that its four jobs stand here, too: the command, the sandbox, the desktop, AppArmor. Then ours: devices.
set -u

program='/opt/${sanitizedProductName}'

if command -v update-alternatives >/dev/null; then
  update-alternatives --install '/usr/bin/${executable}' '${executable}' "$program/${executable}" 100
else
  ln -sf "$program/${executable}" '/usr/bin/${executable}'
fi

# Where users have no namespaces of their own, Chromium's sandbox needs the rights of root to set itself up.
if unshare --user true 2>/dev/null; then mode=0755; else mode=4755; fi
chmod "$mode" "$program/chrome-sandbox"

command -v update-mime-database >/dev/null && update-mime-database /usr/share/mime
command -v update-desktop-database >/dev/null && update-desktop-database /usr/share/applications

# Ubuntu 24.04 and later let only programs with a profile have namespaces. Older ones cannot read it.
profile="$program/resources/apparmor-profile"
if command -v apparmor_parser >/dev/null && apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
  cp -f "$profile" '/etc/apparmor.d/${executable}'
  apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' || true
fi

# ECG devices belong to the person at the screen; no modem program probes them.
install -D -m 0644 "$program/resources/70-isoline.rules" /usr/lib/udev/rules.d/70-isoline.rules
# A container has no udev.
if command -v udevadm >/dev/null; then
  udevadm control --reload || true
  udevadm trigger --subsystem-match=tty || true
fi
exit 0
