import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/feedback'
import { useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { setupQuery, signIn } from './api'
import { EntryFrame } from './components/entry-frame'
import { ErrorLine } from './components/error-line'
import { safeReturn } from './safe-return'

export function LoginPage() {
  const t = useText()
  const locale = useLocale()
  const system = useSystemConfig()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const errorText = useErrorText()
  const setup = useQuery(setupQuery)
  const entering = useMutation({
    mutationFn: (input: { username: string; password: string }) => signIn(input.username.trim(), input.password),
    onSuccess: () => navigate(safeReturn(search.get('return')), { replace: true }),
  })
  if (setup.data?.needed) return <Navigate to="/setup" replace />
  return (
    <EntryFrame title={t('session.signInTo', { name: system ? localName(system, locale) : '' })}>
      <Form
        layout="vertical"
        requiredMark={false}
        onFinish={entering.mutate}
        disabled={entering.isPending}
        size="large"
      >
        <Form.Item
          name="username"
          label={t('session.username')}
          rules={[{ required: true, message: t('session.usernameMissing') }]}
        >
          <Input autoComplete="username" autoCapitalize="none" autoFocus maxLength={100} />
        </Form.Item>
        <Form.Item
          name="password"
          label={t('session.password')}
          rules={[{ required: true, message: t('session.passwordMissing') }]}
        >
          <Input.Password autoComplete="current-password" maxLength={100} />
        </Form.Item>
        <ErrorLine text={entering.error ? errorText(entering.error) : null} />
        <Button type="primary" htmlType="submit" block loading={entering.isPending}>
          {t('session.signIn')}
        </Button>
      </Form>
    </EntryFrame>
  )
}
