import type { Program } from './program.ts'

export const drupal: Program = {
  title: 'Drupal 10',
  engine: 'mysql',
  prefix: '',
  users: {
    table: 'users_field_data',
    id: 'uid',
    name: 'name',
    display: '{users_field_data}.name',
    rank: `EXISTS (SELECT 1 FROM {user__roles} WHERE {user__roles}.entity_id = {users_field_data}.uid
      AND {user__roles}.deleted = 0 AND {user__roles}.roles_target_id = 'administrator')`,
    joined: '{users_field_data}.created',
    // A blocked user who was never there has not been confirmed yet.
    confirmed: '({users_field_data}.status = 1 OR {users_field_data}.access > 0)',
    banned: '({users_field_data}.status = 0 AND {users_field_data}.access > 0)',
    where: '{users_field_data}.uid > 0 AND {users_field_data}.default_langcode = 1',
  },
  chats: [
    {
      table: 'user__{chat}',
      user: 'entity_id',
      value: '{chat}_value',
      match: { deleted: '0', delta: '0' },
      // A field may be translated.
      order: 'langcode',
    },
  ],
  limits: ['A ban has no end in Drupal.', 'rank is 1 for administrators, 0 for others.'],
}
