import { useNavigate } from 'react-router'

/** The router counts its own entries of the browser's history in their state; what lies before the first belongs to others. */
const within = () => ((window.history.state as { idx?: number } | null)?.idx ?? 0) > 0

/**
 * Back to the page of ours that this one was reached from. A page that was opened by its address leads to `instead`: the entry before it
 * belongs to a mail, a search or another visit, and to go there would load another document.
 */
export function useBack(instead: () => void) {
  const navigate = useNavigate()
  return () => {
    if (within()) void navigate(-1)
    else instead()
  }
}
