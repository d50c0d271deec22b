import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Drawer, Input, Radio, Segmented, Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { type DataOf, get, put } from '@/api/client'
import { Icon } from '@/components/icon'
import { ProductMark } from '@/components/product-mark'
import { useAppearance } from '@/lib/appearance'
import { palette } from '@/lib/palette'
import { useReturnFocus } from '@/lib/return-focus'
import { useTheme } from '@/lib/theme'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { systemConfigQuery } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './theme-drawer.module.css'

type Themes = DataOf<'/api/system/theme', 'get'>
type Outward = 'light' | 'dark'

/** As the specification says. In pixels. */
const WIDTH = 420
const MOST_NAME = 40
const MOST_LOGO = 64 << 10
const DEFAULT = 'default'

const themesQuery = {
  queryKey: ['system', 'themes'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/system/theme', undefined, { signal }),
  staleTime: 0,
}

/** Theme, name and logo of the installation, for those who look after it. What is tried out is seen at once, and by everybody when it is saved. */
export function ThemeDrawer({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const t = useText()
  const errorText = useErrorText()
  const { data: themes, error } = useQuery(themesQuery)
  const { data: system } = useQuery(systemConfigQuery)
  useEffect(() => () => useTheme.setState({ shown: null }), [])
  return (
    <Drawer open size={`min(${WIDTH}px, 100vw)`} title={t('shell.theme')} onClose={onClose}>
      {error && (
        <p role="alert" className={styles.help}>
          {errorText(error)}
        </p>
      )}
      {!error && (!themes || !system) && <Skeleton active title={false} />}
      {themes && system && <Settings themes={themes} system={system} onClose={onClose} />}
    </Drawer>
  )
}

interface Props {
  themes: Themes
  system: DataOf<'/api/system/config', 'get'>
  onClose: () => void
}

function Settings({ themes, system, onClose }: Props) {
  const t = useText()
  const client = useQueryClient()
  const feedback = useFeedback()
  const [name, setName] = useState(themes.theme.name)
  const [outward, setOutward] = useState<Outward>(themes.theme.outward)
  const [zh, setZh] = useState(system.name)
  const [en, setEn] = useState(system.name_i18n.en ?? '')
  /** A data address; null = as it is, "" = none. */
  const [logo, setLogo] = useState<string | null>(null)
  const chosen = themes.themes.find((one) => one.name === name) ?? themes.theme
  const light = name === DEFAULT
  const show = (next: string) => {
    const theme = themes.themes.find((one) => one.name === next)
    setName(next)
    if (theme) useTheme.setState({ shown: { color: theme.color, outward } })
  }
  const save = useMutation({
    mutationFn: () =>
      put('/api/system/theme', {
        theme: name,
        outward: light ? 'light' : outward,
        name: zh.trim(),
        name_i18n: en.trim() ? { en: en.trim() } : {},
        ...(logo === null ? {} : { logo }),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['system'] })
      void client.invalidateQueries({ queryKey: ['home'] })
      feedback.success(t('branding.saved'))
      onClose()
    },
    onError: feedback.error,
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <fieldset className={styles.group}>
        <legend>{t('branding.color')}</legend>
        <Radio.Group className={styles.themes ?? ''} value={name} onChange={(event) => show(event.target.value)}>
          {themes.themes.map((theme) => (
            <Swatch key={theme.name} name={theme.name} color={theme.color} chosen={theme.name === chosen.name} />
          ))}
        </Radio.Group>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t('branding.outward')}</legend>
        <Segmented<Outward>
          aria-label={t('branding.outward')}
          value={light ? 'light' : outward}
          disabled={light}
          onChange={setOutward}
          options={[
            { value: 'light', label: t('branding.follows') },
            { value: 'dark', label: t('shell.dark') },
          ]}
        />
        <p className={styles.help}>{t(light ? 'branding.lightOnly' : 'branding.outwardHelp')}</p>
      </fieldset>
      <div className={styles.field}>
        <label htmlFor="name-zh">{t('branding.nameZh')}</label>
        <Input id="name-zh" value={zh} maxLength={MOST_NAME} onChange={(event) => setZh(event.target.value)} />
      </div>
      <div className={styles.field}>
        <label htmlFor="name-en">{t('branding.nameEn')}</label>
        <Input
          id="name-en"
          value={en}
          maxLength={MOST_NAME}
          placeholder={zh}
          onChange={(event) => setEn(event.target.value)}
        />
        <span className={styles.help}>{t('branding.nameHelp')}</span>
      </div>
      <Logo now={logo ?? system.logoUrl} onChange={setLogo} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  )
}

type ThemeName =
  | 'default'
  | 'blue'
  | 'indigo'
  | 'purple'
  | 'magenta'
  | 'red'
  | 'orange'
  | 'golden'
  | 'green'
  | 'cyan'
  | 'black'

/** A theme: its color as buttons have it, and its name. */
function Swatch({ name, color, chosen }: { name: string; color: string; chosen: boolean }) {
  const t = useText()
  const appearance = useAppearance((state) => state.appearance)
  const { accentFill, onAccent } = palette(appearance, color)
  return (
    <Radio value={name} className={styles.theme ?? ''}>
      <span className={styles.swatch} style={{ background: accentFill, color: onAccent }}>
        {chosen && <Icon name="check" size={14} />}
      </span>
      {t(`branding.themes.${name as ThemeName}`)}
    </Radio>
  )
}

function Logo({ now, onChange }: { now: string | null; onChange: (logo: string) => void }) {
  const t = useText()
  const file = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState('')
  const take = (picked: File | undefined) => {
    if (!picked) return
    setWrong('')
    if (!/^image\/(png|jpeg)$/.test(picked.type)) return setWrong(t('branding.logoKind'))
    if (picked.size > MOST_LOGO) return setWrong(t('branding.logoSize'))
    const reader = new FileReader()
    reader.onload = () => onChange(String(reader.result))
    reader.readAsDataURL(picked)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{t('branding.logo')}</legend>
      <div className={styles.logo}>
        <span className={styles.picture}>{now ? <img src={now} alt="" /> : <ProductMark size={32} />}</span>
        <input
          ref={file}
          type="file"
          hidden
          accept="image/png,image/jpeg"
          onChange={(event) => {
            take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button onClick={() => file.current?.click()}>{t('branding.pick')}</Button>
        {now && (
          <Button type="text" onClick={() => onChange('')}>
            {t('branding.noLogo')}
          </Button>
        )}
      </div>
      <p className={styles.help} role={wrong ? 'alert' : undefined} data-wrong={wrong ? true : undefined}>
        {wrong || t('branding.logoHelp')}
      </p>
    </fieldset>
  )
}
