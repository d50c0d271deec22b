import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Modal } from 'antd'
import { signOut } from '@/api/session'
import { Avatar } from '@/components/avatar'
import { useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { signIn } from './api'
import { secondStepOf } from './api-sign-in'
import { ErrorLine } from './components/error-line'
import { SecondStep } from './components/second-step'
import styles from './sign-in-again.module.css'
import { useRefusal } from './use-refusal'

/** Over a page whose session has ended: the page keeps what was typed, and goes on after the password. */
export function SignInAgain() {
  const t = useText()
  const me = useMe()
  const client = useQueryClient()
  const entering = useMutation({
    mutationFn: (input: { password: string }) => signIn(me?.username ?? '', input.password),
    onSuccess: resume,
  })
  function resume() {
    const missed = {
      predicate: (query: { state: { status: string }; queryKey: readonly unknown[] }) =>
        query.state.status === 'error' || query.queryKey[0] === 'me',
    }
    void client.refetchQueries(missed)
  }
  const second = secondStepOf(entering.error)
  const refusal = useRefusal(second ? null : entering.error)
  return (
    <Modal
      open
      title={t('session.again.title')}
      footer={null}
      width={400}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      zIndex={2000}
      centered
    >
      <p className={styles.text}>{t('session.again.text')}</p>
      {me && (
        <div className={styles.person}>
          <Avatar name={me.name} src={me.imgUrl} size={32} />
          <span>
            <strong>{me.name}</strong>
            <small>{me.username}</small>
          </span>
        </div>
      )}
      {second ? (
        <SecondStep ticket={second.ticket} onDone={resume} onBack={entering.reset} />
      ) : (
        <Form
          layout="vertical"
          requiredMark={false}
          onFinish={entering.mutate}
          disabled={entering.isPending}
          size="large"
        >
          <input
            className={styles.name}
            type="text"
            name="username"
            autoComplete="username"
            value={me?.username ?? ''}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <Form.Item
            name="password"
            label={t('session.password')}
            rules={[{ required: true, message: t('session.passwordMissing') }]}
          >
            <Input.Password autoComplete="current-password" autoFocus maxLength={100} />
          </Form.Item>
          <ErrorLine text={refusal.text} />
          <Button type="primary" htmlType="submit" block loading={entering.isPending} disabled={refusal.seconds > 0}>
            {refusal.seconds > 0 ? t('session.waitFor', { count: refusal.seconds }) : t('session.again.continue')}
          </Button>
          <Button className={styles.other ?? ''} type="text" block onClick={() => void signOut()}>
            {t('session.again.other')}
          </Button>
        </Form>
      )}
    </Modal>
  )
}
