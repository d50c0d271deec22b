import { useEffect, useState } from 'react'
import { agoStep } from '@/lib/ago'
import { formatInstant } from '@/lib/dates'
import { useTextContext } from './system'
import { useText } from './use-text'

/** When something happened, as notifications say it: "just now", "5 minutes ago", then date and time. */
export function Ago({ time, className }: { time: string; className?: string | undefined }) {
  const t = useText()
  const context = useTextContext()
  const [now, setNow] = useState(Date.now)
  const step = agoStep(time, now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look at the clock asks for the next one
  useEffect(() => {
    if (step === null) return
    const timer = setTimeout(() => setNow(Date.now()), 60_000)
    return () => clearTimeout(timer)
  }, [step, now])
  const full = formatInstant(time, 'yyyy-MM-dd HH:mm', context)
  return (
    <time dateTime={time} title={full} className={className}>
      {step === null ? full : step === 'now' ? t('message.justNow') : t('message.minutesAgo', { count: step })}
    </time>
  )
}
