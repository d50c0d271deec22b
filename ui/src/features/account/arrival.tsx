import { App } from 'antd'
import { useEffect, useRef } from 'react'
import { formatInstant } from '@/lib/dates'
import { changesPassword, useMe } from '@/sdk/me'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { passwordUnchanged } from './api'
import { arrived } from './arrived'

/** Seconds: long enough to notice a sign-in that was somebody else's. */
const NOTICE = 5

/** After a sign-in, once: when and where the last one was, and whether the password is still one that somebody else gave. */
export function Arrival({ onChangePassword }: { onChangePassword: () => void }) {
  const t = useText()
  const me = useMe()
  const context = useTextContext()
  const { message, modal } = App.useApp()
  const told = useRef(false)
  useEffect(() => {
    if (!me || told.current || !arrived()) return
    told.current = true
    if (me.lastLoginTime) {
      const time = formatInstant(me.lastLoginTime, 'yyyy-MM-dd HH:mm', context)
      const address = me.lastLoginAddress
      message.info(address ? t('account.lastFrom', { time, address }) : t('account.last', { time }), NOTICE)
    }
    if (!changesPassword(me) || me.mustChangePassword) return
    const tip = {
      title: t('account.tip'),
      content: t('account.tipText'),
      okText: t('account.tipNow'),
      cancelText: t('account.tipLater'),
      onOk: onChangePassword,
    }
    passwordUnchanged()
      .then((unchanged) => {
        if (unchanged) modal.confirm(tip)
      })
      .catch(() => {}) // a hint: that it cannot be given is not worth a message
  }, [me, context, message, modal, onChangePassword, t])
  return null
}
