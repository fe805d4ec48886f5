"""DamExchange (DXP): two programs play games over TCP."""
