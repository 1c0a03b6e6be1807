-- The relations the gateway reads, for MySQL and MariaDB. They may as well be views over other tables: see
-- views.example.mysql.sql. What is looked up by text is kept as its bytes in UTF-8.

CREATE TABLE IF NOT EXISTS `users` (
  `id`           bigint          PRIMARY KEY,  -- 1 … 2^53-1
  `username`     varchar(256)    NOT NULL,  -- as it is shown
  `username_key` varbinary(1024) NOT NULL,  -- NFKC, then lower case: what usernames are looked up by
  `chat_id`      varbinary(1024),  -- identifier on the chat platform; never shown
  `display_name` varchar(1000)   NOT NULL,  -- may be empty
  `rank`         int             NOT NULL,  -- what the codes mean is up to the service
  `join_date`    bigint          NOT NULL,  -- in the service's own unit and epoch
  `is_confirmed` boolean         NOT NULL,  -- whether the user is confirmed
  `banned`       boolean         NOT NULL,  -- whether the user is banned
  UNIQUE KEY users_by_username_key (username_key),
  UNIQUE KEY users_by_chat_id (chat_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `apps` (
  `id`             bigint        PRIMARY KEY,  -- 1 … 2^53-1
  `title`          varchar(1000) NOT NULL,  -- name of the application
  `version`        varchar(1000) NOT NULL,  -- <major>.<minor>.<patch>
  `category`       int           NOT NULL,  -- what the codes mean is up to the service
  `changelog_link` varchar(2048) NOT NULL,  -- absolute URL
  `download_link`  varchar(2048) NOT NULL  -- absolute URL ending in /<id>/
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
