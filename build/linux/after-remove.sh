#!/bin/sh
# After the deb is removed. The data folder is medical records: it stays.
set -u

if command -v update-alternatives >/dev/null; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}' || true
else
  rm -f '/usr/bin/${executable}'
fi
if [ -f '/etc/apparmor.d/${executable}' ]; then
  command -v apparmor_parser >/dev/null && apparmor_parser --remove '/etc/apparmor.d/${executable}'
  rm -f '/etc/apparmor.d/${executable}'
fi
rm -f /usr/lib/udev/rules.d/70-isoline.rules
command -v udevadm >/dev/null && udevadm control --reload
exit 0
