terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
variable "environment" {
  type    = string
  default = "test"
}
variable "compliance_mode" {
  type    = bool
  default = false
}
resource "terraform_data" "database" {
  input = var.environment
  lifecycle {
    precondition {
      condition     = var.environment != "prod" || var.compliance_mode == true
      error_message = "Enable compliance mode to assess production secrets."
    }
  }
}
resource "terraform_data" "server" {
  triggers_replace = var.environment
  lifecycle {
    create_before_destroy = true
  }
}
data "terraform_remote_state" "volume" {
  backend = "local"
  config  = { path = "out.tfstate" }
  lifecycle {
    postcondition {
      condition     = self.outputs.encrypted
      error_message = "The server's root volume is not encrypted."
    }
  }
}

ephemeral "random_password" "p" {
  length = 5
  lifecycle {
    precondition {
      condition     = var.environment != "prod" || var.compliance_mode
      error_message = "Enable compliance mode."
    }
    postcondition {
      condition     = can(regex("^[A-Za-z0-9]{16,}$", self.result))
      error_message = "Password from external source must meet security requirements."
    }
  }
}

output "api_base_url" {
  value = "https://${var.environment}:8433/"
  precondition {
    condition     = data.terraform_remote_state.volume.outputs.architecture == "x86_64"
    error_message = "The selected AMI must be for the x86_64 architecture."
  }
}

resource "terraform_data" "target" {
  lifecycle {
    replace_triggered_by = [terraform_data.server.id]
  }
}
