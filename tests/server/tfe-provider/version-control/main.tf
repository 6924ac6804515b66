resource "tfe_oauth_client" "github" {
  organization     = "acme"
  name             = "github-${var.round}"
  service_provider = "github"
  http_url         = "https://github.com"
  api_url          = "https://api.github.com"
  oauth_token      = "token-${var.round}"
}

resource "tfe_oauth_client" "gitlab" {
  organization     = "acme"
  service_provider = "gitlab_community_edition"
  http_url         = "https://gitlab.example.com"
  api_url          = "https://gitlab.example.com/api/v4"
  oauth_token      = "token"
}

resource "tfe_ssh_key" "modules" {
  organization = "acme"
  name         = "key-${var.round}"
  key          = "private"
}

data "tfe_oauth_client" "read" {
  oauth_client_id = tfe_oauth_client.github.id
}

data "tfe_ssh_key" "read" {
  organization = "acme"
  name         = tfe_ssh_key.modules.name
}
