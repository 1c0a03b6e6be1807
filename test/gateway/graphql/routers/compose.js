// Composes the schema on stdin by Apollo's composition, and prints its errors as JSON: none where it is valid.

import { text } from 'node:stream/consumers'
import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'

const typeDefs = parse(await text(process.stdin))
const { errors = [] } = composeServices([{ name: 'lookup', typeDefs, url: 'http://lookup.invalid' }])
process.stdout.write(JSON.stringify(errors.map(({ message }) => message)))
