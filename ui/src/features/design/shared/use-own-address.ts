import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Once a new document is published and nothing of it waits, the page has the document's address. After useLeave, which lets it go then. */
export function useOwnAddress(own: string, ready: boolean) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    if (ready && pathname !== own) void navigate(own, { replace: true })
  }, [ready, own, pathname, navigate])
}
