import { Input } from 'antd'
import { useState } from 'react'
import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import { Row, useFieldPlace } from '../../shared/fields'
import { type Path, valueAt } from '../../shared/json'
import { trimmedTitle } from '../schema'

interface Props {
  name: string
  label: string
  hint?: string
  path: Path
  /** At most so many characters; without it a title, which has 30 units of width. */
  most?: number
  area?: boolean
}

/** A text in both languages, no longer than it may be. */
export function TitleField({ name, label, most, area = false }: Props) {
  const t = useText()
  return (
    <div className={area ? frame.fields : frame.pair} style={area ? { padding: 0 } : undefined}>
      <OneText path={[name]} label={label} most={most} area={area} />
      <OneText
        path={[`${name}_i18n`, 'en']}
        label={t('portalDesign.inEnglish', { name: label })}
        most={most}
        area={area}
      />
    </div>
  )
}

/** A name, which has no end to its length here. */
export const NameField = (props: Props) => <TitleField {...props} most={200} />

interface TextProps {
  path: Path
  label: string
  most: number | undefined
  area: boolean
}

function OneText({ path, label, most, area }: TextProps) {
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const kept = typeof value === 'string' ? value : ''
  // What is typed stays while somebody types; the page has as much of it as fits.
  const [typed, setTyped] = useState<string | null>(null)
  const fit = (text: string) => (most ? [...text].slice(0, most).join('') : trimmedTitle(text))
  const shared = {
    value: typed !== null && fit(typed) === kept ? typed : kept,
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value)
      set(path, fit(event.target.value) || undefined)
    },
    onBlur: () => setTyped(null),
  }
  return (
    <Row label={label} path={path}>
      {(id) =>
        area ? (
          <Input.TextArea id={id} autoSize={{ minRows: 2, maxRows: 12 }} {...shared} />
        ) : (
          <Input id={id} {...shared} />
        )
      }
    </Row>
  )
}
