import { Button, Divider } from 'antd'
import { useNavigate } from 'react-router'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'

/** Ways to sign in beside the password; nothing where the operator set up none. */
export function Providers({ back }: { back: string }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const providers = useSystemConfig()?.signInProviders ?? []
  if (providers.length === 0) return null
  return (
    <>
      <Divider plain>{t('session.or')}</Divider>
      <div style={{ display: 'grid', gap: 8 }}>
        {providers.map((one) => (
          <Button
            key={one.code}
            size="large"
            block
            onClick={() => void navigate(`/oauth?${new URLSearchParams({ provider: one.code, return: back })}`)}
          >
            {t('session.signInBy', { name: localName(one, locale) })}
          </Button>
        ))}
      </div>
    </>
  )
}
