package authn

func init() { loginKeyBits = 1024 }
