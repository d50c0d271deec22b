import { useQuery } from '@tanstack/react-query'
import { Button, type ButtonProps } from 'antd'
import type { Ref } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { appsQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'
import styles from './header.module.css'

interface Props extends ButtonProps {
  appCode: string
  ref?: Ref<HTMLButtonElement>
}

/** The name of the application; what is behind it hangs on it. */
export function AppName({ appCode, className = '', ...button }: Props) {
  const t = useText()
  const locale = useLocale()
  const { data: apps = [] } = useQuery(appsQuery)
  const current = apps.find((app) => app.code === appCode)
  const name = current ? localName(current, locale) : ''
  return (
    <Button
      {...button}
      type="text"
      title={name}
      className={`${styles.application ?? ''} ${className}`}
      aria-label={name ? t('shell.switchAppFrom', { name }) : t('shell.switchApp')}
    >
      <span>{name}</span>
      <Icon name="down" size={12} />
    </Button>
  )
}
