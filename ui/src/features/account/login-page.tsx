import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { Navigate, useNavigate } from 'react-router'
import { useLocale } from '@/i18n/locale'
import { returnPath } from '@/lib/address'
import { localName } from '@/lib/local-name'
import { useSearch } from '@/lib/use-search'
import { useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { setupQuery, signIn } from './api'
import { secondStepOf } from './api-sign-in'
import { noteArrival } from './arrived'
import { EntryFrame } from './components/entry-frame'
import { ErrorLine } from './components/error-line'
import { Providers } from './components/providers'
import { SecondStep } from './components/second-step'
import { useRefusal } from './use-refusal'

/** `onEnter` is told of a sign-in and where it leads, before that page is drawn. */
export function LoginPage({ onEnter }: { onEnter?: (to: string) => void }) {
  const t = useText()
  const locale = useLocale()
  const system = useSystemConfig()
  const navigate = useNavigate()
  const [search] = useSearch()
  const back = returnPath(search.get('return')) ?? '/' // judged before the password is asked for
  const setup = useQuery(setupQuery)
  const enter = () => {
    noteArrival()
    onEnter?.(back)
    void navigate(back, { replace: true })
  }
  const entering = useMutation({
    mutationFn: (input: { username: string; password: string }) => signIn(input.username.trim(), input.password),
    onSuccess: enter,
  })
  const second = secondStepOf(entering.error)
  const refusal = useRefusal(second ? null : entering.error)
  if (setup.data?.needed) return <Navigate to="/setup" replace />
  if (second)
    return (
      <EntryFrame title={t('session.second.title')}>
        <SecondStep ticket={second.ticket} onDone={enter} onBack={entering.reset} />
      </EntryFrame>
    )
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
        <ErrorLine text={refusal.text} />
        <Button type="primary" htmlType="submit" block loading={entering.isPending} disabled={refusal.seconds > 0}>
          {refusal.seconds > 0 ? t('session.waitFor', { count: refusal.seconds }) : t('session.signIn')}
        </Button>
      </Form>
      <Providers back={back} />
    </EntryFrame>
  )
}
