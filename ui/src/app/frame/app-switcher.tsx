import { lazy, Suspense, useRef, useState } from 'react'
import { AppName } from './app-name'

const AppMenu = lazy(() => import('./app-menu').then((m) => ({ default: m.AppMenu })))

/** The name of the application; the others are behind it, in a file that comes when they are asked for. */
export function AppSwitcher({ appCode }: { appCode: string }) {
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <AppName
        ref={button}
        appCode={appCode}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => {
          setWanted(true)
          setOpen((now) => !now)
        }}
      />
      {wanted && (
        <Suspense fallback={null}>
          <AppMenu appCode={appCode} button={button} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
