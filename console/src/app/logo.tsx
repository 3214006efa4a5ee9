export function Logo() {
  return (
    <span className="flex items-center gap-2 font-semibold text-base tracking-tight">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" className="text-accent">
        <rect width="32" height="32" rx="9" fill="currentColor" />
        <path d="M16 8a8 8 0 1 0 8 8" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
        <circle cx="21.8" cy="10.2" r="2.4" fill="#fff" />
      </svg>
      Overture
    </span>
  )
}
