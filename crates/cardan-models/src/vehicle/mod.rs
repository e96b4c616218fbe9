//! Parts of vehicles. The quarter car is split where power flows: the wheel hands its velocity to the chassis, the
//! chassis the force of the suspension to the wheel.

pub(crate) mod mean_value_engine;
pub(crate) mod quarter_car_chassis;
pub(crate) mod quarter_car_wheel;
pub(crate) mod spark_ignition_engine;
