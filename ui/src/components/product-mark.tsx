/** The mark: two mitre gates of a lock, closed against the water. */
export function ProductMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
      <path
        d="M8 8v16l8-5.200 8 5.200V8"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="2.600"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M12.500 9.500c1.200 1 2.300 1 3.500 0s2.300-1 3.500 0M12.500 13.500c1.200 1 2.300 1 3.500 0s2.300-1 3.500 0"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="1.700"
        strokeLinecap="round"
        opacity=".75"
      />
    </svg>
  )
}
