# The examples of the documentation of `lifecycle` that are about services and secrets, with what they leave out.
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  type = string
}

variable "environment" {
  description = "Deployment environment"
  type        = string
  default     = "test"
}

variable "compliance_mode" {
  description = "Enable compliance requirements for production"
  type        = bool
  default     = false
}

variable "launch_type" {
  type    = string
  default = "EC2"
}

resource "aws_ecs_cluster" "main" {
  name = "main"
}

resource "aws_ecs_task_definition" "svc" {
  family = "svc"

  container_definitions = jsonencode([{
    name      = "web"
    image     = "nginx"
    memory    = 128
    essential = true
  }])
}

resource "aws_ecs_service" "svc" {
  name            = "svc"
  cluster         = aws_ecs_cluster.main.id
  task_definition = aws_ecs_task_definition.svc.arn
  launch_type     = var.launch_type
}

resource "aws_appautoscaling_target" "ecs_target" {
  max_capacity       = 4
  min_capacity       = 1
  resource_id        = "service/${aws_ecs_cluster.main.name}/${aws_ecs_service.svc.name}"
  scalable_dimension = "ecs:service:DesiredCount"
  service_namespace  = "ecs"

  lifecycle {
    replace_triggered_by = [aws_ecs_service.svc.id]
  }
}

resource "aws_ssm_parameter" "database_password" {
  name  = "/secrets/${var.environment}/database/password"
  type  = "SecureString"
  value = "Long-enough-to-be-one"
}

ephemeral "aws_ssm_parameter" "database_password" {
  arn = aws_ssm_parameter.database_password.arn

  lifecycle {
    precondition {
      condition     = var.environment != "prod" || var.compliance_mode == true
      error_message = "Enable compliance mode to assess production secrets."
    }

    postcondition {
      condition     = can(regex("^[A-Za-z0-9!@#$%^&*()_+=-]{16,}$", self.value))
      error_message = "Password from external source must meet security requirements."
    }
  }
}
