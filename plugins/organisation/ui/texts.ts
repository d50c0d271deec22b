import { defineTexts } from '@sluice/sdk'

export const texts = defineTexts('organisation', {
  zh: {
    title: '重置“{name}”的密码',
    ask: '将生成一个新密码，原密码失效，此人在所有设备上退出登录。',
    run: '生成密码',
    made: '请把新密码告知本人。关闭后无法再次查看，下次登录时必须修改。',
    password: '新密码',
    copy: '复制',
    copied: '已复制',
    done: '我已记下',
  },
  en: {
    title: 'Reset the password of {name}',
    ask: 'A new password is made. The present one stops working, and this person is signed out on every device.',
    run: 'Make a password',
    made: 'Give the new password to this person. It is not shown again, and has to be changed at the next sign-in.',
    password: 'New password',
    copy: 'Copy',
    copied: 'Copied',
    done: 'I have noted it',
  },
})
