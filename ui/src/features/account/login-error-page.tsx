import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { useSearch } from '@/lib/use-search'
import { useText } from '@/sdk/use-text'
import { EntryFrame } from './components/entry-frame'
import { LOGIN_ERRORS } from './login-error'

/** /login-error: why a sign-in came to nothing, and what to do about it. */
export function LoginErrorPage() {
  const t = useText()
  const navigate = useNavigate()
  const [search] = useSearch()
  const code = Number(search.get('code')) as keyof typeof LOGIN_ERRORS
  const word = LOGIN_ERRORS[code] ?? 'other'
  return (
    <EntryFrame title={t('session.error.title')} text={t(`session.error.${word}`)}>
      <Button
        type="primary"
        size="large"
        block
        style={{ marginTop: 24 }}
        onClick={() => void navigate('/login', { replace: true })}
      >
        {t('session.error.back')}
      </Button>
    </EntryFrame>
  )
}
