/** What styles and scripts may use: browsers since 2022. */
export const browsers = ['es2022', 'safari16']
