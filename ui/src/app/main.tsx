import 'antd/dist/reset.css'
import '@/components/base.css'
import './locales'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { startSession } from '@/api/session'
import { startI18n } from '@/i18n/i18n'
import { useLocaleStore } from '@/i18n/locale'
import { holdFocus } from '@/lib/held-focus'
import { keepEscapes } from '@/lib/late-escape'
import { stampStyleElements } from '@/lib/nonce'
import { preload } from './preload'
import { Providers } from './providers'
import { queryClient } from './query-client'
import { router } from './router'

stampStyleElements()
keepEscapes(window)
holdFocus()
startSession(() => useLocaleStore.getState().locale)
const code = preload(queryClient, window.location)
await startI18n()
// Drawn in one go when the code is all but there; who waits longer sees what there is.
await Promise.race([code, new Promise((resume) => setTimeout(resume, 300))])

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
}
