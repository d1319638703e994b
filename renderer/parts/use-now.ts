// The current time, renewed while something is on screen.

import { useEffect, useState } from 'react';

export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
