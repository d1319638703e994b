// A text as a QR code, dark on light whatever the look of the screens: cameras expect it so.

import { encodeQR } from 'qr';
import { type ReactNode, useMemo } from 'react';

/** Light modules around it (ISO/IEC 18004, 5.3.8). */
const QUIET_MODULES = 4;

interface QrCodeProps {
  readonly text: string;
  /** For whoever cannot see it. */
  readonly label: string;
  readonly sizePx: number;
}

export function QrCode({ text, label, sizePx }: QrCodeProps): ReactNode {
  const { path, modules } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
    const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { path: dark.join(''), modules: rows.length };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
