import { connect } from './client.js'

const body = { email: 'client@example.com', password: 'correct horse' }
const api = connect('http://localhost:3000', {
  askLogin: async () => body,
  sayWait: seconds => console.log(`Too many requests: this goes on in ${seconds} s.`),
})

const { error } = await api.POST('/auth/register', { body })
if (error && 'code' in error) {
  if (error.code === 'email-taken') console.log('You have an account already: log in.')
  else if ('errors' in error) for (const { pointer, detail } of error.errors) console.log(pointer, detail)
  else console.log(error.detail)
}
await api.POST('/auth/login', { body })
const me = await api.GET('/auth/me')
console.log(me.data?.email)
const passwords = { current_password: body.password, new_password: 'battery staple' }
await api.POST('/auth/change-password', { body: passwords })
const deleted = await api.POST('/auth/delete-account', { body: { password: 'battery staple' } })
console.log(deleted.data?.message)
